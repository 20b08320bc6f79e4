-- The growth of an amount starts with the period in which a user set it, not with the creation of the budget.
alter table budget add column amount_day integer not null default 0;
update budget set amount_day = floor(extract(epoch from created_at) / 86400);
alter table budget alter column amount_day drop default;

-- The scope that the cost of the period belongs to: a limited role sees only the periods inside its limits. Null: unknown.
alter table budget_period add column scope jsonb;
update budget_period set scope = budget.scope from budget
where budget.budget_id = budget_period.budget_id
  and not exists (select from budget_change c where c.budget_id = budget.budget_id and c.before -> 'scope' is not null);

-- A budget that does not recur may get other days. Its old days are another period.
update budget_period set key = (date '1970-01-01' + first_day)::text || '/' || (date '1970-01-01' + end_day)::text
where key = 'once';

-- Deleting a user must remove the e-mail address everywhere.
update budget_change set made_by = app_user.user_id::text from app_user where app_user.email = budget_change.made_by;

-- Budgets may have several clusters, namespaces and teams. Null: `cluster_id`, `namespace` and `team` decide who sees the alert.
alter table alert add column scope jsonb;
