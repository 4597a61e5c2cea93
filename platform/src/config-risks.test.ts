import { expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { listRisks } from './config-risks.ts'

const risksOf = (settings: Record<string, string>) =>
  listRisks(readConfig({ VISIT_HOST: 'visits.example', ...settings })).map(({ setting }) => setting)

const tls = { TLS_CERT_FILE: '/c', TLS_KEY_FILE: '/k' }

test.each<[string, Record<string, string>]>([
  ['MQTT_PLAIN', { ...tls, HOST: '0.0.0.0' }],
  ['PUBLIC_URL', { PUBLIC_URL: 'http://busbar.test', OPERATOR_SECOND_FACTOR: '1' }],
  ['SMS_URL', { PUBLIC_URL: 'http://localhost', SMS_URL: 'http://key@sms.test' }],
  ['AMAP_URL', { AMAP_URL: 'http://amap.test' }],
  ['AMAP_POSITION_URL', { AMAP_POSITION_URL: 'http://amap.test' }],
  ['TENCENT_MAP_URL', { TENCENT_MAP_URL: 'http://map.test' }],
  ['DATABASE_URL', { DATABASE_URL: 'postgres://db.internal/busbar' }],
  ['DATABASE_URL', { DATABASE_URL: 'postgres://db.internal/busbar?sslmode=disable' }],
  ['TELEMETRY_URL', { TELEMETRY_URL: 'postgres://10.0.0.7/busbar' }],
  ['OPERATOR_SECOND_FACTOR', { PUBLIC_URL: 'https://busbar.test' }],
  [
    'OUTGOING_ALLOWED_NETWORKS',
    {
      PUBLIC_URL: 'https://busbar.test',
      OPERATOR_SECOND_FACTOR: '1',
      OUTGOING_ALLOWED_NETWORKS: 'enterprise=7 10.1.0.0/16:1883, * 10.1.2.3:8080',
    },
  ],
])('%s is told at the start', (setting, settings) => {
  expect(risksOf(settings)).toEqual([setting])
})

test.each<[string, Record<string, string>]>([
  ['without settings', {}],
  ['with plain MQTT on loopback', tls],
  ['without plain MQTT', { ...tls, HOST: '0.0.0.0', MQTT_PLAIN: '0' }],
  ['at this machine', { PUBLIC_URL: 'http://localhost:8080', SMS_URL: 'http://key@127.0.0.1' }],
  [
    'in public',
    { PUBLIC_URL: 'https://busbar.test', OPERATOR_SECOND_FACTOR: '1', SMS_URL: 'https://key@sms.test' },
  ],
  ['with a database by TLS', { DATABASE_URL: 'postgres://db.internal/busbar?sslmode=verify-full' }],
  ['with a database here', { DATABASE_URL: 'postgres://127.0.0.1/busbar' }],
  ['with a database by a socket', { DATABASE_URL: 'postgres:///busbar?host=/run/postgresql' }],
])('nothing is told %s', (_, settings) => {
  expect(risksOf(settings)).toEqual([])
})
