import { expect, test } from 'vitest'
import { formatMetricName, isMachineCode, parseMetricName } from '../conventions.ts'
import { LinkError } from '../link-error.ts'
import { formatSparkplugTopic, parseSparkplugTopic } from './topic.ts'

test('node, device and host topics, there and back', () => {
  const topics = [
    'spBv1.0/busbar/NBIRTH/0000000000000000001',
    'spBv1.0/厂/NCMD/node 1',
    'spBv1.0/g/DDATA/n/d',
    'spBv1.0/STATE/busbar',
  ]
  for (const topic of topics) {
    const parsed = parseSparkplugTopic(topic)
    expect(parsed).not.toBeNull()
    if (parsed !== null) expect(formatSparkplugTopic(parsed)).toBe(topic)
  }
  expect(parseSparkplugTopic('spBv1.0/g/DDATA/n/d')).toEqual({
    type: 'DDATA',
    group: 'g',
    edgeNode: 'n',
    device: 'd',
  })
})

test('anything else is not a Sparkplug topic', () => {
  const others = [
    '',
    'spBv1.0',
    'spBv1.0/STATE',
    'spBv1.0/g/NDATA',
    'spBv1.0/g/NDATA/',
    'spBv1.0//NDATA/n',
    'spBv1.0/g/NDATA/n/d',
    'spBv1.0/g/DDATA/n',
    'spBv1.0/g/ndata/n',
    'spBv1.0/g/NDATA/+',
    'spBv1.0/g/DDATA/n/#',
    'spAv1.0/g/NDATA/n',
    'v1/devices/me/telemetry',
  ]
  for (const topic of others) expect(parseSparkplugTopic(topic), topic).toBeNull()
})

test('a topic cannot be made from an identifier that would change its shape', () => {
  for (const edgeNode of ['', 'a/b', '+', '#']) {
    expect(() => formatSparkplugTopic({ type: 'NDATA', group: 'g', edgeNode })).toThrow(LinkError)
  }
})

test('the last slash of a metric name separates group and tag', () => {
  expect(parseMetricName('oven/zone 1/temperature')).toEqual({ group: 'oven/zone 1', name: 'temperature' })
  expect(parseMetricName('speed')).toEqual({ group: '', name: 'speed' })
  for (const name of ['a/b/c', 'a', '/a']) {
    // A leading slash gives an empty group, the only name that is shorter after a round trip.
    expect(formatMetricName(parseMetricName(name))).toBe(name === '/a' ? 'a' : name)
  }
})

test('a machine code is 19 digits', () => {
  expect(isMachineCode('0000000000000000000')).toBe(true)
  for (const text of ['', '123', '12345678901234567890', '123456789012345678a', ' 000000000000000000']) {
    expect(isMachineCode(text)).toBe(false)
  }
  expect(isMachineCode('1234567890123456789\n')).toBe(false)
})
