import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { findFreePort } from '@busbar/testkit/free-port.ts'

const startTimeoutMs = 60_000
const host = '127.0.0.1'

/** A third-party page: Node-RED's dashboard, with WebSockets and absolute paths. */
export interface ForeignPage {
  /** Node-RED's address. */
  readonly url: string
  /** The path of the dashboard's page: a running counter, a button and what the button said. */
  readonly path: string
  close(): Promise<void>
}

/** Starts Node-RED as a separate process. */
export async function startForeignPage(): Promise<ForeignPage> {
  const folder = process.env.BUSBAR_FOREIGN_PAGE
  if (!folder) throw new Error('BUSBAR_FOREIGN_PAGE is not set: the tests run by npm test')
  const modules = join(folder, 'node_modules')
  const userDir = await mkdtemp(join(tmpdir(), 'busbar-node-red-'))
  const port = await findFreePort(host)
  const settings = {
    uiPort: port,
    uiHost: host,
    flowFile: 'flows.json',
    credentialSecret: false,
    telemetry: { enabled: false, updateNotification: false },
    // The dashboard alone is what people open.
    disableEditor: true,
    nodesDir: [join(modules, '@flowfuse', 'node-red-dashboard')],
  }
  const settingsFile = join(userDir, 'settings.js')
  await writeFile(settingsFile, `module.exports = ${JSON.stringify(settings)}`)
  await writeFile(join(userDir, 'flows.json'), JSON.stringify(mixerFlow))
  const child = spawn(
    process.execPath,
    [join(modules, 'node-red', 'red.js'), '--userDir', userDir, '--settings', settingsFile],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, NODE_PATH: modules } },
  )
  const exited = once(child, 'exit')
  const close = async () => {
    child.kill('SIGTERM')
    await exited
    await rm(userDir, { recursive: true, force: true })
  }
  const lines = createInterface({ input: child.stdout })
  const timer = setTimeout(() => child.kill('SIGKILL'), startTimeoutMs)
  let isStarted = false
  for await (const line of lines) {
    isStarted = line.includes('Started flows')
    if (isStarted) break
  }
  clearTimeout(timer)
  if (!isStarted) {
    await close()
    throw new Error('Node-RED did not start its flows')
  }
  child.stdout.resume()
  return { url: `http://${host}:${port}`, path: '/dashboard/mixer', close }
}

const widget = { z: 'tab', group: 'group', width: 0, height: 0, name: '' }
const textWidget = { ...widget, type: 'ui-text', format: '{{msg.payload}}', layout: 'row-spread', wires: [] }

/** The dashboard's own; it fails without them. */
const themeColors = {
  surface: '#ffffff',
  primary: '#0094ce',
  bgPage: '#eeeeee',
  groupBg: '#ffffff',
  groupOutline: '#cccccc',
}
const themeSizes = {
  density: 'default',
  pagePadding: '12px',
  groupGap: '12px',
  groupBorderRadius: '4px',
  widgetGap: '12px',
}

/** A counter that ticks each second, and a button whose press is shown as a text. */
const mixerFlow = [
  { id: 'tab', type: 'tab', label: 'Plant' },
  { id: 'base', type: 'ui-base', name: 'Plant', path: '/dashboard', navigationStyle: 'none' },
  { id: 'theme', type: 'ui-theme', name: 'Plain', colors: themeColors, sizes: themeSizes },
  {
    ...{ id: 'page', type: 'ui-page', name: 'Mixer', ui: 'base', path: '/mixer', layout: 'grid' },
    ...{ theme: 'theme', order: 1, visible: 'true', disabled: 'false' },
  },
  {
    ...{ id: 'group', type: 'ui-group', name: 'Mixer', page: 'page', width: '6', height: '1', order: 1 },
    ...{ showTitle: true, visible: 'true', disabled: 'false' },
  },
  {
    ...{ id: 'clock', type: 'inject', z: 'tab', props: [{ p: 'payload' }], repeat: '1', once: true },
    ...{ onceDelay: 0.1, payloadType: 'date', wires: [['count']] },
  },
  {
    ...{ id: 'count', type: 'function', z: 'tab', outputs: 1, wires: [['ticks']] },
    func: "const n = (context.get('n') || 0) + 1; context.set('n', n); msg.payload = 'tick ' + n; return msg",
  },
  { ...textWidget, id: 'ticks', label: 'Ticks', order: 1 },
  {
    ...widget,
    ...{ id: 'start', type: 'ui-button', label: 'Start mixer', order: 2 },
    ...{ payload: 'mixer started', payloadType: 'str', topic: '', topicType: 'str' },
    ...{ icon: '', iconPosition: 'left', enableClick: true, wires: [['state']] },
  },
  { ...textWidget, id: 'state', label: 'State', order: 3 },
]
