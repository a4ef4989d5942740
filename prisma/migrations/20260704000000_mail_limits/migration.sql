-- Limits on mails: one an hour to an address from a team, and a number a day for each sender. A row in
-- mail_sends is a mail that was handed to the mail server, or may have been; rows are deleted after a
-- day. address is the email with ASCII letters folded. Belongs to no team and has no foreign keys: in
-- a distributed database it stays on the coordinator. The version before this migration works, and
-- sends without limits.

CREATE TABLE mail_sends (
    id        uuid           NOT NULL,
    team_id   uuid           NOT NULL,
    address   text           NOT NULL,
    sender_id uuid           NOT NULL,
    sent_at   timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT mail_sends_pkey PRIMARY KEY (id)
);
CREATE INDEX mail_sends_address_idx ON mail_sends (team_id, address, sent_at);
CREATE INDEX mail_sends_sender_idx ON mail_sends (sender_id, sent_at);
CREATE INDEX mail_sends_sent_at_idx ON mail_sends (sent_at);

-- True: the mail waits for a limit, not for the mail server.
ALTER TABLE mail_outbox ADD COLUMN is_held boolean NOT NULL DEFAULT false;
