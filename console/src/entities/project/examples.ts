/** The tasks of a program that takes a project’s data, in the order in which people meet them. */
export const exampleTasks = ['receive', 'pull', 'subscribe', 'embed'] as const
export type ExampleTask = (typeof exampleTasks)[number]

export const exampleLanguages = ['sh', 'ts', 'py', 'java'] as const
export type ExampleLanguage = (typeof exampleLanguages)[number]

/** The files of docs/examples/projects, which tests run as they are. */
const files: Readonly<Record<string, string>> = import.meta.glob(
  '../../../../docs/examples/projects/*.{sh,ts,py,java}',
  { query: '?raw', import: 'default', eager: true },
)

const names: Readonly<Record<ExampleTask, Readonly<Record<ExampleLanguage, string>>>> = {
  receive: { sh: 'verify.sh', ts: 'receiver.ts', py: 'receiver.py', java: 'Receiver.java' },
  pull: { sh: 'pull.sh', ts: 'pull.ts', py: 'pull.py', java: 'Pull.java' },
  subscribe: { sh: 'subscribe.sh', ts: 'subscribe.ts', py: 'subscribe.py', java: 'Subscribe.java' },
  embed: { sh: 'embed.sh', ts: 'embed.ts', py: 'embed.py', java: 'Embed.java' },
}

/** The values of one project that stand in its examples in place of those of the files. */
export interface ExamplePlace {
  /** Of the platform, such as `https://cloud.example.com`. */
  readonly address: string
  /** Of its MQTT endpoint, such as `mqtts://cloud.example.com:8883`. */
  readonly broker: string
  readonly projectId?: number | undefined
}

interface Endpoint {
  readonly host: string
  readonly port?: number | null
  readonly tlsPort?: number | null
}

const mqttsPort = 8883

/** The address of the MQTT endpoint: with TLS, unless the platform has only the other port. */
export const brokerOf = ({ host, port = null, tlsPort = null }: Endpoint): string =>
  tlsPort === null && port !== null ? `mqtt://${host}:${port}` : `mqtts://${host}:${tlsPort ?? mqttsPort}`

export interface Example {
  readonly file: string
  readonly text: string
}

/** The example of a task in a language, filled for a project. */
export function exampleOf(task: ExampleTask, language: ExampleLanguage, place: ExamplePlace): Example {
  const file = names[task][language]
  const text = files[`../../../../docs/examples/projects/${file}`]
  if (text === undefined) throw new Error(`The example ${file} is missing.`)
  const filled = text
    .replaceAll('mqtts://cloud.example.com:8883', place.broker)
    .replaceAll('https://cloud.example.com', place.address)
  const { projectId } = place
  return { file, text: projectId === undefined ? filled : filled.replaceAll(/\b4711\b/g, String(projectId)) }
}
