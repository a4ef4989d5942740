import { constants, createHash, type KeyObject, privateEncrypt } from 'node:crypto';

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();
const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

/** The RSA operation on a block of our own making, which no library would pad so. */
export const rsaOf = (block: Buffer, key: KeyObject): Buffer =>
  privateEncrypt({ key, padding: constants.RSA_NO_PADDING }, block);

/** DigestInfo of SHA-256 up to the digest (RFC 8017, 9.2). */
export const DIGEST_INFO = '30 31 30 0d 06 09 60 86 48 01 65 03 04 02 01 05 00 04 20';

/**
 * A block as PKCS #1 v1.5 pads it (RFC 8017, 9.2), right but for these parts.
 * @param digestInfo what stands before the digest, in hexadecimal
 * @param padding bytes of 0xff, so that garbage fills the rest
 */
export function pkcs1Block(
  text: string,
  size: number,
  {
    start = '00 01',
    fill = 0xff,
    end = '00',
    digestInfo = DIGEST_INFO,
    digest = sha256(Buffer.from(text)),
    after = '',
    padding = null as number | null,
  } = {},
): Buffer {
  const [before, behind] = [hex(start), hex(end + digestInfo)];
  const room = size - before.length - behind.length - digest.length - hex(after).length;
  const filled = Buffer.alloc(padding ?? room, fill);
  const garbage = Buffer.alloc(room - filled.length, 0xa5);
  return Buffer.concat([before, filled, behind, digest, hex(after), garbage]);
}

/** A block as PSS encodes it with SHA-256 (RFC 8017, 9.1.1), right but for these parts. */
export function pssBlock(
  text: string,
  size: number,
  {
    salt = Buffer.alloc(32, 7),
    mask = 'sha256',
    zeros = 0,
    separator = 1,
    trailer = 0xbc,
    /** Of the hash in the block. */
    changed = -1,
  } = {},
): Buffer {
  const digest = sha256(Buffer.from(text));
  const hash = sha256(Buffer.concat([Buffer.alloc(8), digest, salt]));
  const data = Buffer.alloc(size - hash.length - 1, 0);
  data.fill(zeros, 1, data.length - salt.length - 1);
  data[data.length - salt.length - 1] = separator;
  salt.copy(data, data.length - salt.length);
  for (const [at, byte] of maskOf(hash, data.length, mask).entries())
    data[at] = xor(data[at], byte);
  data[0] = (data[0] ?? 0) & 0x7f;
  if (changed >= 0) hash[changed] = xor(hash[changed], 1);
  return Buffer.concat([data, hash, Buffer.of(trailer)]);
}

/** MGF1 (RFC 8017, B.2.1). */
function maskOf(seed: Buffer, length: number, algorithm: string): Buffer {
  const parts: Buffer[] = [];
  for (let count = 0; Buffer.concat(parts).length < length; count++) {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(count);
    parts.push(createHash(algorithm).update(seed).update(counter).digest());
  }
  return Buffer.concat(parts).subarray(0, length);
}

const xor = (byte: number | undefined, other: number): number => (byte ?? 0) ^ other;

/** A number as big-endian bytes. */
export const bytesOf = (value: bigint, length: number): Buffer =>
  hex(value.toString(16).padStart(length * 2, '0'));
