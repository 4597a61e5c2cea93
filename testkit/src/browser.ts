import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, type BrowserServer, chromium, type LaunchOptions } from 'playwright-core'

/** The folder for programs that `npm test` unpacks because the system lacks them. */
const needsBin = join(import.meta.dirname, '..', '..', '.busbar', 'needs', 'bin')
/** Debian puts servers in folders outside a normal user's PATH. */
const systemFolders = ['/usr/sbin', '/usr/local/sbin', '/sbin']

/** Programs from outside the project that tests use, with the variable by which `npm test` names each. */
const tools = {
  chromium: { variable: 'BUSBAR_CHROMIUM', names: ['chromium', 'chromium-browser', 'google-chrome'] },
  firefox: { variable: 'BUSBAR_FIREFOX', names: ['firefox-esr', 'firefox'] },
  mosquitto: { variable: 'BUSBAR_MOSQUITTO', names: ['mosquitto'] },
  mosquitto_sub: { variable: 'BUSBAR_MOSQUITTO_SUB', names: ['mosquitto_sub'] },
  mosquitto_pub: { variable: 'BUSBAR_MOSQUITTO_PUB', names: ['mosquitto_pub'] },
} as const

export type ToolName = keyof typeof tools

/**
 * The path of an outside program: as `npm test` found it, else unpacked beside the project, else on PATH.
 * @throws if there is none; `npm test` fetches it
 */
export function resolveTool(name: ToolName): string {
  const { variable, names } = tools[name]
  const given = process.env[variable]
  if (given !== undefined && existsSync(given)) return given
  const folders = [needsBin, ...(process.env.PATH ?? '').split(delimiter), ...systemFolders]
  for (const candidate of names.flatMap((file) => folders.map((folder) => join(folder, file)))) {
    if (isExecutable(candidate)) return candidate
  }
  throw new Error(`${name} is not here: npm test fetches it, or set ${variable} to its path`)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** No sandbox (tests run as root too), and no background work of the browser. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  // Without it a browser without a graphics card draws no map.
  '--enable-unsafe-swiftshader',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * The features that Playwright turns off (chromiumSwitches.ts of playwright-core 1.65), because only the last
 * of two such switches counts, and the pop-ups of the address bar: Chromium makes invisible pages for them in
 * each window, which cost half a second of computing each.
 */
const featuresOff = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
]

/** The launch options of the tests' headless Chromium. */
export function browserOptions(args: readonly string[] = []) {
  return { executablePath: resolveTool('chromium'), args: [...flags, ...args] }
}

const launchOptions = ({ args = [], ...options }: LaunchOptions) => ({
  ...browserOptions([`--disable-features=${featuresOff.join()}`, ...args]),
  ...options,
})

/** Starts a headless Chromium. The caller closes it. */
export function launchBrowser(options: LaunchOptions = {}): Promise<Browser> {
  return chromium.launch(launchOptions(options))
}

/** Starts a headless Chromium that other processes drive. The caller closes it. */
export function serveBrowser(): Promise<BrowserServer> {
  return chromium.launchServer({ ...launchOptions({}), host: '127.0.0.1' })
}

/** Drives the Chromium that `serveBrowser` started in another process. */
export function connectBrowser(wsEndpoint: string): Promise<Browser> {
  return chromium.connect(wsEndpoint)
}
