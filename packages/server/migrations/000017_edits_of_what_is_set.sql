-- What people set can be edited by two at once: with a revision, the second hears that the first was there.
alter table helm_path add column revision integer not null default 1;

-- Whether a rule that is gone has left anything is asked of all clusters, and mostly by mistake: one look must do.
create index recommendation_rule on recommendation (rule_id);
create index recommendation_withheld_rule on recommendation_withheld (rule_id);
