import { describe, expect, it } from 'vitest'
import { bestPort, examplesOf } from './examples.ts'

const code = '8600000000000000001'
const access = {
  addresses: {
    host: 'busbar.example',
    mqttPort: 1883,
    mqttsPort: 8883,
    webSocketUrl: 'wss://busbar.example/mqtt',
    ingestUrl: 'https://busbar.example/api/v1/ingest',
  },
  code,
  secret: 's3cret',
}
const plain = { ...access, addresses: { ...access.addresses, mqttsPort: null } }
const webOnly = { ...access, addresses: { ...plain.addresses, mqttPort: null } }
const textOf = (examples: ReturnType<typeof examplesOf>, name: string) =>
  examples.find((example) => example.name === name)?.text

describe('examples to copy', () => {
  it('take TLS where the platform has it', () => {
    expect(bestPort(access.addresses)).toEqual({ port: 8883, tls: true })
    expect(textOf(examplesOf('mqtt', access), 'mosquitto_pub')).toContain('-p 8883 --tls-use-os-certs')
    expect(textOf(examplesOf('mqtt', plain), 'mosquitto_pub')).toContain('-p 1883 \\\n')
  })

  it('leave out mosquitto_pub where MQTT is a WebSocket only', () => {
    const examples = examplesOf('mqtt', webOnly)
    expect(textOf(examples, 'mosquitto_pub')).toBeUndefined()
    expect(textOf(examples, 'Neuron')).toContain('wss://busbar.example/mqtt')
  })

  it('are flows that Node-RED imports', () => {
    const flow = JSON.parse(textOf(examplesOf('mqtt', access), 'Node-RED') ?? '')
    expect(flow[2]).toMatchObject({ broker: 'mqtts://busbar.example:8883', credentials: { user: code } })
  })

  it('sign in with code and secret by every way', () => {
    for (const kind of ['mqtt', 'sparkplug', 'http'] as const)
      for (const { text } of examplesOf(kind, access))
        expect([text.includes(code), text.includes('s3cret')]).toEqual([true, true])
  })
})
