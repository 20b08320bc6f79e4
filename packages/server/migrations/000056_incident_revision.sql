-- The last evaluated hour alone does not show that another server stored something meanwhile: an hour can be evaluated again.
alter table incident_state add column revision bigint not null default 0;
comment on column incident_state.revision is 'grows with each stored evaluation';
