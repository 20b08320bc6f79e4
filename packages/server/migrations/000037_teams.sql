-- A role may be limited to the cost of some teams. Null: not limited.
alter table role add column teams text[];
