-- Webhooks. The first table is a team's; the others hold the state of deliveries, which instances take over
-- from each other: on a database distributed by team they stay on the coordinator, as mail_outbox does, and so
-- have no foreign keys.

CREATE TABLE webhooks (
    team_id UUID NOT NULL,
    id UUID NOT NULL,
    url TEXT NOT NULL,
    events TEXT[] NOT NULL,
    -- null: all.
    workspace_ids UUID[],
    enabled BOOLEAN NOT NULL DEFAULT true,
    -- null: it is enabled, or a person has disabled it.
    disabled_because TEXT,
    -- How often its secret was made. The secret itself is stored nowhere: it is derived from WEBHOOK_KEY.
    generation INTEGER NOT NULL DEFAULT 1,
    renewed_at TIMESTAMPTZ(3),
    -- For whom it acts.
    maker_id UUID NOT NULL,
    -- Changes of before are not told.
    since TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    created_at TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT now(),

    CONSTRAINT webhooks_pkey PRIMARY KEY (team_id, id),
    CONSTRAINT webhooks_team_fkey FOREIGN KEY (team_id) REFERENCES teams (id) ON DELETE CASCADE,
    CONSTRAINT webhooks_events_check CHECK (events <@ ARRAY['workspace.changed', 'team.changed'] AND events <> '{}'),
    CONSTRAINT webhooks_disabled_check CHECK (
        disabled_because IS NULL
        OR (disabled_because IN ('gone', 'failing', 'maker_not_owner') AND NOT enabled)
    )
);

-- What a webhook was told of a workspace, or of the team (the scope is the team's id); a test has the
-- webhook's own. A row is made at the first change.
CREATE TABLE webhook_states (
    team_id UUID NOT NULL,
    webhook_id UUID NOT NULL,
    scope_id UUID NOT NULL,
    -- The state of the tree where the newest message ended.
    version BIGINT,
    stamp UUID,
    -- The newest entry of the audit log that was told, and what there was when it was looked at last: the newest
    -- time, and how many entries there were in the minute before it, in all and for the maker's eyes.
    entry_id UUID,
    seen_at TIMESTAMPTZ(3),
    seen_total INTEGER,
    seen_visible INTEGER,
    -- The message that is not delivered yet.
    message_id TEXT,
    body TEXT,
    -- Failed ones of this message.
    attempts INTEGER NOT NULL DEFAULT 0,
    -- When to look, or to try again; null: nothing to do.
    due_at TIMESTAMPTZ(3),
    -- The last attempt.
    sent_at TIMESTAMPTZ(3),

    CONSTRAINT webhook_states_pkey PRIMARY KEY (team_id, webhook_id, scope_id)
);
CREATE INDEX webhook_states_due_idx ON webhook_states (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX webhook_states_scope_idx ON webhook_states (team_id, scope_id);

-- The lease of the instance that sends for a webhook.
CREATE TABLE webhook_senders (
    team_id UUID NOT NULL,
    webhook_id UUID NOT NULL,
    holder UUID,
    leased_until TIMESTAMPTZ(3),
    -- The first failure since the last success.
    failing_since TIMESTAMPTZ(3),

    CONSTRAINT webhook_senders_pkey PRIMARY KEY (team_id, webhook_id)
);

-- The last attempts of each webhook.
CREATE TABLE webhook_deliveries (
    team_id UUID NOT NULL,
    webhook_id UUID NOT NULL,
    id UUID NOT NULL,
    at TIMESTAMPTZ(3) NOT NULL,
    message_id TEXT NOT NULL,
    event TEXT NOT NULL,
    -- null: it is about the team, or a test.
    workspace_id UUID,
    -- The status that came, or unreachable, timeout, tls.
    status TEXT NOT NULL,

    CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (team_id, webhook_id, id)
);

-- The round that finds changes: one row, the lease of the instance that does it.
CREATE TABLE webhook_rounds (
    id INTEGER NOT NULL,
    holder UUID,
    -- The next round may begin then.
    leased_until TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    -- When the last one began.
    looked_at TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    -- How far webhooks were compared with what there is, whatever the indexes on time say.
    compared_team_id UUID NOT NULL,
    compared_id UUID NOT NULL,

    CONSTRAINT webhook_rounds_pkey PRIMARY KEY (id)
);
INSERT INTO webhook_rounds (id, compared_team_id, compared_id)
VALUES (1, '00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000');
