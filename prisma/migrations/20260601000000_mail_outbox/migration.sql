-- Mails of invites that are to be sent, written in the invite's own transaction. Holds no text: a mail
-- tells of the invite as it is when it goes out. Belongs to no team and has no foreign keys: in a
-- distributed database it stays on the coordinator. The version before this migration works on.

CREATE TABLE mail_outbox (
    id        uuid           NOT NULL,
    invite_id uuid           NOT NULL,
    attempts  integer        NOT NULL DEFAULT 0,
    due_at    timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    queued_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT mail_outbox_pkey PRIMARY KEY (id)
);
-- One mail waits for an invite: the one of its last renewal.
CREATE UNIQUE INDEX mail_outbox_invite_id_key ON mail_outbox (invite_id);
CREATE INDEX mail_outbox_due_at_idx ON mail_outbox (due_at);
