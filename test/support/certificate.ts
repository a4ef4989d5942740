import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A certificate of `receiver.example` that nobody vouches for; null: openssl is missing. */
export function selfSigned(): { key: Buffer; cert: Buffer } | null {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const options = ['-nodes', '-days', '1', '-subj', '/CN=receiver.example', '-keyout', key, '-out'];
  try {
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', ...options, cert], {
      stdio: 'ignore',
    });
    return { key: readFileSync(key), cert: readFileSync(cert) };
  } catch {
    return null;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
