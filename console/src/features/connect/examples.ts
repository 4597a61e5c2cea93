import type { onboarding } from '@busbar/contract'

export interface Example {
  /** A product's own name, the same in both languages. */
  readonly name: string
  readonly text: string
  /** Not tried with the product. */
  readonly isUntried?: true
}

export interface Access {
  readonly addresses: onboarding.MachineAddresses
  readonly code: string
  readonly secret: string
}

export const telemetryTopic = 'v1/devices/me/telemetry'

/** The port that a machine should take, and whether it has TLS; undefined where MQTT comes as a WebSocket only. */
export function bestPort({ mqttPort, mqttsPort }: onboarding.MachineAddresses) {
  if (mqttsPort !== null) return { port: mqttsPort, tls: true }
  return mqttPort === null ? undefined : { port: mqttPort, tls: false }
}

const body = '{"temperature":21.5}'

/** Examples to copy, those that the tests run first. */
export function examplesOf(kind: onboarding.OnboardingKind, access: Access): Example[] {
  if (kind === 'http') return httpExamples(access)
  if (kind === 'sparkplug') return sparkplugExamples(access)
  return kind === 'mqtt' ? mqttExamples(access) : []
}

function httpExamples({ addresses, code, secret }: Access): Example[] {
  const url = addresses.ingestUrl
  return [
    {
      name: 'curl',
      text: `curl -u ${code}:${secret} -H 'Content-Type: application/json' -d '${body}' ${url}`,
    },
    {
      name: 'Node-RED',
      isUntried: true,
      text: flow([
        { id: 'a1', type: 'inject', repeat: '10', payload: body, payloadType: 'json', wires: [['a2']] },
        {
          ...{ id: 'a2', type: 'http request', method: 'POST', ret: 'obj', url, authType: 'basic' },
          ...{ credentials: { user: code, password: secret }, wires: [[]] },
        },
      ]),
    },
  ]
}

function mqttExamples({ addresses, code, secret }: Access): Example[] {
  const { host, webSocketUrl } = addresses
  const best = bestPort(addresses)
  const server = best ? `${best.tls ? 'mqtts' : 'mqtt'}://${host}:${best.port}` : webSocketUrl
  const lines = (topic: string) =>
    [
      `Broker: ${server}`,
      `User: ${code}`,
      `Password: ${secret}`,
      `Client ID: ${code}`,
      `Topic: ${topic}`,
    ].join('\n')
  const untried = { isUntried: true } as const
  return [
    ...(best
      ? [
          {
            name: 'mosquitto_pub',
            text: [
              `mosquitto_pub -h ${host} -p ${best.port}${best.tls ? ' --tls-use-os-certs' : ''}`,
              `  -u ${code} -P ${secret} -q 1`,
              `  -t ${telemetryTopic} -m '${body}'`,
            ].join(' \\\n'),
          },
        ]
      : []),
    {
      name: 'Node-RED',
      ...untried,
      text: flow([
        { id: 'a1', type: 'inject', repeat: '10', payload: body, payloadType: 'json', wires: [['a2']] },
        { id: 'a2', type: 'mqtt out', topic: telemetryTopic, qos: '1', broker: 'a3', wires: [] },
        {
          ...{ id: 'a3', type: 'mqtt-broker', broker: server, clientid: code, protocolVersion: '4' },
          credentials: { user: code, password: secret },
        },
      ]),
    },
    { name: 'Neuron', ...untried, text: `${lines(telemetryTopic)}\nUpload format: values-format` },
    { name: 'Weintek', ...untried, text: `${lines(`data/${code}/hmi`)}\nContent format: JSON (simple)` },
    { name: 'Haiwell', ...untried, text: lines(`data/${code}/hmi`) },
  ]
}

function sparkplugExamples({ addresses, code, secret }: Access): Example[] {
  const { host, webSocketUrl } = addresses
  const best = bestPort(addresses)
  const server = best ? `${best.tls ? 'ssl' : 'tcp'}://${host}:${best.port}` : webSocketUrl
  const rows = (names: readonly [string, string, string, string, string]) =>
    [server, code, secret, 'plant', code].map((value, place) => `${names[place]}: ${value}`).join('\n')
  return [
    {
      name: 'Neuron',
      isUntried: true,
      text: rows(['Broker', 'Username', 'Password', 'Group ID', 'Node ID']),
    },
    {
      name: 'Ignition',
      isUntried: true,
      text: rows(['URL', 'Username', 'Password', 'Group ID', 'Edge Node ID']),
    },
  ]
}

const flow = (nodes: readonly object[]) => JSON.stringify(nodes, null, 1)
