-- Teams, workspaces, collections and pages. PostgreSQL 15 or later.
-- Every constraint is named: the application tells conflicts apart by these names.

CREATE TABLE users (
    id             uuid           NOT NULL CONSTRAINT users_pkey PRIMARY KEY,
    issuer         text           NOT NULL,
    subject        text           NOT NULL,
    email          text           NOT NULL,
    email_verified boolean        NOT NULL DEFAULT true,
    name           text           NOT NULL,
    image          text,
    created_at     timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    updated_at     timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE UNIQUE INDEX users_issuer_subject_key ON users (issuer, subject);

CREATE TABLE teams (
    id                  uuid           NOT NULL CONSTRAINT teams_pkey PRIMARY KEY,
    slug                text           NOT NULL,
    name                text           NOT NULL,
    description         text,
    logo                text,
    plan                text           NOT NULL DEFAULT 'free',
    invite_code         text           NOT NULL,
    billing_cycle_start timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    usage_pages         integer        NOT NULL DEFAULT 0,
    usage_users         integer        NOT NULL DEFAULT 0,
    usage_workspaces    integer        NOT NULL DEFAULT 0,
    created_at          timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    updated_at          timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT teams_plan_check CHECK (plan IN ('free', 'pro', 'business', 'enterprise')),
    CONSTRAINT teams_usage_check CHECK (usage_pages >= 0 AND usage_users >= 0 AND usage_workspaces >= 0)
);
CREATE UNIQUE INDEX teams_slug_key ON teams (slug);
CREATE UNIQUE INDEX teams_invite_code_key ON teams (invite_code);

CREATE TABLE team_members (
    team_id   uuid           NOT NULL,
    user_id   uuid           NOT NULL,
    role      text           NOT NULL,
    joined_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT team_members_pkey PRIMARY KEY (team_id, user_id),
    CONSTRAINT team_members_team_fkey FOREIGN KEY (team_id) REFERENCES teams (id) ON DELETE CASCADE ON UPDATE NO ACTION,
    CONSTRAINT team_members_user_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE NO ACTION ON UPDATE NO ACTION,
    CONSTRAINT team_members_role_check CHECK (role IN ('guest', 'member', 'moderator', 'owner'))
);
CREATE INDEX team_members_user_idx ON team_members (user_id);

CREATE TABLE team_invites (
    id         uuid           NOT NULL CONSTRAINT team_invites_pkey PRIMARY KEY,
    team_id    uuid           NOT NULL,
    email      text           NOT NULL,
    role       text           NOT NULL,
    state      text           NOT NULL DEFAULT 'pending',
    invited_by uuid           NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT team_invites_team_fkey FOREIGN KEY (team_id) REFERENCES teams (id) ON DELETE CASCADE ON UPDATE NO ACTION,
    CONSTRAINT team_invites_inviter_fkey FOREIGN KEY (invited_by) REFERENCES users (id) ON DELETE NO ACTION ON UPDATE NO ACTION,
    CONSTRAINT team_invites_role_check CHECK (role IN ('guest', 'member', 'moderator', 'owner')),
    CONSTRAINT team_invites_state_check CHECK (state IN ('pending', 'accepted', 'declined', 'revoked'))
);
-- One pending invite per team and email, whatever its letter case.
CREATE UNIQUE INDEX team_invites_pending_key ON team_invites (team_id, lower(email)) WHERE state = 'pending';
CREATE INDEX team_invites_email_idx ON team_invites (lower(email)) WHERE state = 'pending';

CREATE TABLE workspaces (
    id             uuid           NOT NULL CONSTRAINT workspaces_pkey PRIMARY KEY,
    team_id        uuid           NOT NULL,
    slug           text           NOT NULL,
    name           text           NOT NULL,
    description    text           NOT NULL DEFAULT '',
    visibility     text           NOT NULL DEFAULT 'public',
    default_access text           NOT NULL DEFAULT 'full',
    created_at     timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    updated_at     timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT workspaces_team_fkey FOREIGN KEY (team_id) REFERENCES teams (id) ON DELETE CASCADE ON UPDATE NO ACTION,
    CONSTRAINT workspaces_visibility_check CHECK (visibility IN ('public', 'private')),
    CONSTRAINT workspaces_default_access_check CHECK (default_access IN ('full', 'read-only'))
);
CREATE UNIQUE INDEX workspaces_team_slug_key ON workspaces (team_id, slug);
CREATE UNIQUE INDEX workspaces_team_id_key ON workspaces (team_id, id);

CREATE TABLE workspace_members (
    team_id      uuid           NOT NULL,
    workspace_id uuid           NOT NULL,
    user_id      uuid           NOT NULL,
    role         text           NOT NULL,
    created_at   timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT workspace_members_pkey PRIMARY KEY (workspace_id, user_id),
    CONSTRAINT workspace_members_workspace_fkey FOREIGN KEY (team_id, workspace_id) REFERENCES workspaces (team_id, id) ON DELETE CASCADE ON UPDATE NO ACTION,
    CONSTRAINT workspace_members_member_fkey FOREIGN KEY (team_id, user_id) REFERENCES team_members (team_id, user_id) ON DELETE CASCADE ON UPDATE NO ACTION,
    CONSTRAINT workspace_members_role_check CHECK (role IN ('editor', 'reader'))
);
CREATE INDEX workspace_members_user_idx ON workspace_members (team_id, user_id);

CREATE TABLE collections (
    id            uuid             NOT NULL CONSTRAINT collections_pkey PRIMARY KEY,
    workspace_id  uuid             NOT NULL,
    parent_id     uuid,
    -- Always 'collection', so that the foreign key below refuses a page as a parent.
    parent_object text             NOT NULL DEFAULT 'collection',
    object        text             NOT NULL,
    name          text             NOT NULL,
    slug          text             NOT NULL,
    position      text COLLATE "C" NOT NULL,
    content       jsonb,
    version       integer          NOT NULL DEFAULT 1,
    created_at    timestamptz(3)   NOT NULL DEFAULT CURRENT_TIMESTAMP,
    updated_at    timestamptz(3)   NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT collections_object_check CHECK (object IN ('collection', 'item')),
    CONSTRAINT collections_parent_object_check CHECK (parent_object = 'collection'),
    CONSTRAINT collections_parent_check CHECK (parent_id <> id),
    CONSTRAINT collections_content_check CHECK ((object = 'item') = (content IS NOT NULL) AND jsonb_typeof(content) = 'object'),
    CONSTRAINT collections_workspace_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE ON UPDATE NO ACTION
);
CREATE UNIQUE INDEX collections_workspace_slug_key ON collections (workspace_id, slug);
CREATE UNIQUE INDEX collections_workspace_id_object_key ON collections (workspace_id, id, object);
-- One total order over the siblings, the top level included. Checked at the end of each statement.
-- parent_id comes first so that walking down a tree has one index to take, whatever the statistics
-- say: by workspace_id it would read the whole workspace once for each collection.
ALTER TABLE collections ADD CONSTRAINT collections_siblings_position_key
    UNIQUE NULLS NOT DISTINCT (parent_id, workspace_id, position) DEFERRABLE INITIALLY IMMEDIATE;
ALTER TABLE collections ADD CONSTRAINT collections_parent_fkey
    FOREIGN KEY (workspace_id, parent_id, parent_object) REFERENCES collections (workspace_id, id, object) ON DELETE NO ACTION ON UPDATE NO ACTION;

CREATE TABLE position_rewrites (
    id            bigserial        NOT NULL CONSTRAINT position_rewrites_pkey PRIMARY KEY,
    workspace_id  uuid             NOT NULL,
    parent_id     uuid,
    old_positions text[] COLLATE "C",
    new_positions text[] COLLATE "C",
    created_at    timestamptz(3)   NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT position_rewrites_workspace_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE ON UPDATE NO ACTION
);
CREATE INDEX position_rewrites_workspace_idx ON position_rewrites (workspace_id, id);
