-- The last connection state of each agent that has an event, so that the sweep writes one event for each change.
alter table cluster_state add column connection text not null default 'connected';
