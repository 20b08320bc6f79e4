-- Nodes that the autoscaler removes with the current requests, in order. A rejected recommendation leaves its
-- step, so no step names its node any more. The next analysis removes these nodes first, and the other steps stay the same.
alter table plan add column drained_nodes jsonb not null default '[]';

-- Whether the change was in the cluster before the plan was made. The savings of the step do not count it again.
alter table plan_step_member add column is_applied boolean not null default false;
