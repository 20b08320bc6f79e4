-- A team is a name that a mapping rule, a label, a role or a sign-in rule gives. Users add a contact, a cost center and
-- the channels of its alerts. Revision 0: named, and no user has added anything.
create table team (
  name text primary key,
  contact text,
  cost_center text,
  revision integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz
);
comment on table team is 'local: teams with their contact and cost center';

create table team_channel (
  team text not null references team on delete cascade,
  channel_id text not null references channel on delete cascade,
  primary key (team, channel_id)
);
create index team_channel_channel on team_channel (channel_id);
comment on table team_channel is 'local: the channels that receive the alerts of a team, and no others';

insert into team (name, created_at)
select name, now() from (
  select rule ->> 'team' as name from team_mapping, jsonb_array_elements(rules) as rule
  union select rule ->> 'team' from sign_in_rules, jsonb_array_elements(teams) as rule
  union select unnest(teams) from role) as named
where name is not null;
