-- Emails are compared with ASCII letters folded and nothing else. lower() alone follows the locale of
-- the database, which takes the Kelvin sign (U+212A) for a k; with the collation "C" it folds A to Z
-- and no other character. Locks team_invites while the indexes are created: a moment. The version
-- before this migration works, but finds invites by email without an index.

DROP INDEX team_invites_pending_key;
-- A Turkish locale takes I and i for different letters: of invites that are the same now, the newest
-- one stays pending. Under other locales there are none.
UPDATE team_invites AS old SET state = 'revoked'
WHERE state = 'pending' AND EXISTS (
    SELECT FROM team_invites AS new
    WHERE new.team_id = old.team_id AND new.state = 'pending'
      AND lower(new.email COLLATE "C") = lower(old.email COLLATE "C")
      AND (new.expires_at, new.id) > (old.expires_at, old.id)
);
-- One pending invite per team and email.
CREATE UNIQUE INDEX team_invites_pending_key ON team_invites (team_id, lower(email COLLATE "C")) WHERE state = 'pending';

DROP INDEX team_invites_email_idx;
CREATE INDEX team_invites_email_idx ON team_invites (lower(email COLLATE "C"));
