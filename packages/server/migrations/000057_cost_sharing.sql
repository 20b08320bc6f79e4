-- Who pays for costs without a team. One revision for the rules of teams and of sharing: the cost of a team depends on both, and budgets
-- compare one number to find sums that are out of date. Null: the default rules.
alter table team_mapping add column sharing jsonb;

-- A budget counts shared cost as the statement of its team does. Budgets before this migration count only the cost of their scope.
alter table budget add column counts_shared boolean not null default false;
