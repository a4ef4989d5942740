-- Webhooks with something due in the order of their ids, and the state of each that is due first: where much is due,
-- deliveries step from webhook to webhook by it, however many states one has. The condition is that of
-- webhook_states_due_idx: most states have nothing to do.
--
-- Reads continue while it is built; deliveries and changes of webhooks wait, about a second for a million states. The
-- version before this migration works on.
CREATE INDEX webhook_states_webhook_due_idx ON webhook_states (team_id, webhook_id, due_at) WHERE due_at IS NOT NULL;
