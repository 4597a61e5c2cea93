import type { TestPlatform } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { expect, test } from 'vitest'

/* Dashboards and alerts name these. One that is renamed is missing there without an error. */

const known = `
counter busbar_http_requests_total
counter busbar_ingest_bytes_total transport=http,tcp,websocket
counter busbar_ingest_messages_total transport=http,tcp,websocket
counter busbar_ingest_samples_total
counter busbar_ingest_too_fast_total
counter busbar_machine_logins_refused_total
counter busbar_mqtt_connections_refused_total
counter busbar_mqtt_unfinished_ended_total
counter busbar_outgoing_http_total outcome=2xx,3xx,4xx,5xx,addressRefused,answerTooLarge,nameUnknown,protocol,redirect,refused,reset,timeout,tls
counter busbar_push_bytes_total
counter busbar_push_frames_held_back_total
counter busbar_push_frames_total
counter busbar_push_sockets_given_up_total
counter busbar_tiles_total outcome=failed,fetched,kept,missing,own,resting
counter busbar_tunnel_received_bytes_total
counter busbar_tunnel_sent_bytes_total
counter busbar_tunnels_cut_total
counter busbar_visit_streams_cut_total
counter busbar_visits_ended_total
gauge busbar_database_connections pool=calls,commits,decisions,history,lists,node,watch state=busy,idle
gauge busbar_database_connections_max pool=calls,commits,decisions,history,lists,node,watch
gauge busbar_database_waiting pool=calls,commits,decisions,history,lists,node,watch
gauge busbar_http_requests_in_flight site=console,visits
gauge busbar_ingest_pressure
gauge busbar_ingest_stalled_seconds
gauge busbar_machines_online
gauge busbar_mqtt_connections transport=tcp,websocket
gauge busbar_mqtt_newcomers
gauge busbar_mqtt_unfinished_bytes
gauge busbar_push_channels
gauge busbar_push_sockets
gauge busbar_push_watches
gauge busbar_queue_length queue=machine_states,raw_messages,records,rule_outcomes,write_outcomes
gauge busbar_rights_read_age_seconds
gauge busbar_tile_cache_bytes
gauge busbar_tunnel_streams
gauge busbar_tunnels_bare
gauge busbar_tunnels
gauge busbar_visit_streams
gauge busbar_visits mode=ro,rw
gauge busbar_writes_open
histogram busbar_commit_seconds
histogram busbar_http_request_seconds
histogram busbar_ingest_acknowledge_seconds
`

const site = useSite()

type Metric = ReturnType<TestPlatform['platform']['metrics']>[number]

/** The metric's type, name and labels with their values, each sorted. */
function describeMetric(metric: Metric): string {
  const series = metric.type === 'histogram' ? metric.distributions : metric.samples
  const values = new Map<string, Set<string>>()
  for (const { labels = {} } of series) {
    for (const [name, value] of Object.entries(labels))
      values.set(name, (values.get(name) ?? new Set()).add(value))
  }
  const labels = [...values].map(([name, of]) => ` ${name}=${[...of].toSorted().join(',')}`)
  return `${metric.type} ${metric.name}${labels.toSorted().join('')}`
}

test('every metric keeps its type, its name and its labels', () => {
  const found = site.platform.metrics().map(describeMetric)
  const missing = known
    .trim()
    .split('\n')
    .filter((metric) => !found.includes(metric))
  expect(missing).toEqual([])
})

test('a metric that several modules measure is one family', () => {
  const names = site.platform.metrics().map(({ name }) => name)
  expect(names).toEqual([...new Set(names)])
})
