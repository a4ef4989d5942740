import type { Actor } from '../../auth/actor.js';
import { escapeHtml, type Mail, oneLine } from '../../mail/mail.js';
import type { Team } from '../team.js';
import type { Invite } from './invite.js';

/** The mail that tells of an invite. Names come from strangers: they cannot break out of a line. */
export function inviteMail(
  invite: Invite,
  team: Pick<Team, 'name'>,
  inviter: Pick<Actor, 'name' | 'email'>,
  publicUrl: string,
): Mail {
  const name = oneLine(team.name);
  const by = `${oneLine(inviter.name, 64)} (${oneLine(inviter.email, 320)})`;
  const role = `${invite.role === 'owner' ? 'an' : 'a'} ${invite.role}`;
  const sentence = `${by} invites you to the team “${name}” as ${role}.`;
  const until = `The invite is valid until ${invite.expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC.`;
  const ignore = 'If you did not expect this, ignore it: nothing happens.';
  const link = `${publicUrl}/invites/${invite.id}`;
  return {
    to: invite.email,
    subject: `Invite to the team “${name}”`,
    text: [sentence, `See it here: ${link}`, until, ignore].join('\n\n').concat('\n'),
    html: [
      '<!doctype html><html lang="en"><body>',
      `<p>${escapeHtml(sentence)}</p>`,
      `<p><a href="${escapeHtml(link)}">See the invite</a></p>`,
      `<p>${escapeHtml(until)}</p>`,
      `<p>${escapeHtml(ignore)}</p>`,
      '</body></html>',
    ].join('\n'),
  };
}
