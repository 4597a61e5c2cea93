import { plainTopic } from '@busbar/link'
import { expect, it } from 'vitest'
import { uplinkLimits } from '../../../modules/telemetry/index.ts'
import { localClock } from './local-time.ts'
import { readPlainMessage } from './plain-json.ts'

const readAlarms = (alarms: unknown) =>
  readPlainMessage(plainTopic.alarms, Buffer.from(JSON.stringify(alarms)), localClock('UTC'), Date.now())

it('the raw log reports that an alarm’s text was shortened or lost a NUL', () => {
  const long = 'x'.repeat(uplinkLimits.alarmTextBytesMax + 1)
  const uplink = readAlarms([
    { id: 'E1', state: 'raised', text: long },
    { id: 'E2', state: 'raised', text: { en: 'a\0b' } },
    { id: 'E3', state: 'raised', text: 'fine' },
  ])
  expect(uplink.records).toHaveLength(3)
  expect(uplink.notes).toEqual([expect.stringContaining('"E1"'), expect.stringContaining('"E2"')])
  expect(readAlarms({ id: 'E3', state: 'raised', text: 'fine' }).notes).toEqual([])
})

it('an attribute named __proto__ is an attribute like others', () => {
  const uplink = readPlainMessage(
    plainTopic.attributes,
    Buffer.from('{"__proto__":{"a":1},"model":"M"}'),
    localClock('UTC'),
    0,
  )
  expect(JSON.stringify(uplink.records)).toContain('"__proto__":{"a":1}')
})
