import { createTransport } from 'nodemailer';
import { addressOf, reasonOf, TIMEOUT } from './finding.js';
const check = 'SMTP';
/** Whether the mail server accepts the login; no mail is sent. */
export async function examineMail({ smtpUrl, inviteUrl }) {
    if (smtpUrl === null) {
        const says = 'Not set: invites are not mailed. Set SMTP_URL to have them sent.';
        return { level: 'ok', check, says };
    }
    const transport = createTransport({
        url: smtpUrl,
        connectionTimeout: TIMEOUT,
        greetingTimeout: TIMEOUT,
        socketTimeout: TIMEOUT,
        dnsTimeout: TIMEOUT,
    });
    try {
        await transport.verify();
        if (inviteUrl !== null) {
            return { level: 'ok', check, says: `${addressOf(smtpUrl)} accepts mail.` };
        }
        const says = `${addressOf(smtpUrl)} accepts mail; set INVITE_URL, so that the mails have a link.`;
        return { level: 'warn', check, says };
    }
    catch (error) {
        const says = `SMTP_URL: ${addressOf(smtpUrl)} does not accept mail (${failureOf(error)}): invites wait until it does.`;
        return { level: 'fail', check, says };
    }
    finally {
        transport.close();
    }
}
/** The codes of a failure: the message of a mail server may name the user. */
function failureOf(error) {
    const { responseCode } = error;
    return [reasonOf(error), responseCode].filter(Boolean).join(' ');
}
//# sourceMappingURL=mail.js.map