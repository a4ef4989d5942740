import { escapeHtml, type Mail, oneLine, withoutLinks } from '../../mail/mailer.js';
import type { MailableInvite } from './invite-outbox.repository.js';

/** An email that a mail program shows as an email, and as nothing else. */
const PLAIN_EMAIL = /^[\p{L}\p{M}\p{N}_.+-]+@[\p{L}\p{M}\p{N}.-]+$/u;

/**
 * The mail that tells of an invite. Names come from strangers: they cannot break out of a line, and
 * nothing in them becomes a link.
 * @param inviteUrl INVITE_URL; null: the mail says which call accepts the invite
 */
export function inviteMail(invite: MailableInvite, inviteUrl: string | null): Mail {
  const { id, role, expiresAt, inviter } = invite;
  const name = withoutLinks(oneLine(invite.team));
  const email = PLAIN_EMAIL.test(inviter.email) ? inviter.email : withoutLinks(inviter.email);
  const by = `${withoutLinks(oneLine(inviter.name, 64))} (${oneLine(email, 320)})`;
  const sentence = `${by} invites you to the team “${name}” as ${role === 'owner' ? 'an' : 'a'} ${role}.`;
  const until = `The invite is valid until ${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC.`;
  const ignore = 'If you did not expect this, ignore it: nothing happens.';
  const next = inviteUrl === null ? callFor(id) : linkTo(inviteUrl.replaceAll('{invite_id}', id));
  return {
    to: invite.email,
    subject: `Invite to the team “${name}”`,
    text: [sentence, next.text, until, ignore].join('\n\n').concat('\n'),
    html: [
      '<!doctype html><html lang="en"><body>',
      `<p>${escapeHtml(sentence)}</p>`,
      `<p>${next.html}</p>`,
      `<p>${escapeHtml(until)}</p>`,
      `<p>${escapeHtml(ignore)}</p>`,
      '</body></html>',
    ].join('\n'),
  };
}

const linkTo = (address: string) => ({
  text: `See it here: ${address}`,
  html: `<a href="${escapeHtml(address)}">See the invite</a>`,
});

const callFor = (id: string) => ({
  text: `To accept it, call: POST /invites/${id}/accept`,
  html: `To accept it, call: <code>POST /invites/${id}/accept</code>`,
});
