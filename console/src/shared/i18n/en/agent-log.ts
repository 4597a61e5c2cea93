import type { agentLog as cn } from '../cn/agent-log.ts'

export const agentLog: typeof cn = {
  title: (name) => `Agent’s log of “${name}”`,
  lead: 'The last hour, newest first. The log has no passwords.',
  levels: { all: 'All levels', warn: 'Warnings and errors', error: 'Errors only' },
  level: 'Level',
  levelNames: { info: 'Info', warn: 'Warning', error: 'Error' },
  search: 'Search events and text',
  reload: 'Reload',
  bundle: 'Save support bundle',
  bundleName: (name) => `${name} support bundle`,
  bundleFailed: 'The support bundle couldn’t be saved. Try again in a moment.',
  failed: 'The log couldn’t be loaded',
  loading: 'Loading…',
  none: 'The agent logged nothing in the last hour',
  noneFound: 'No lines match',
  cut: 'The agent had much to log and has dropped the oldest lines of this hour',
  more: (shown, all) => `The newest ${shown} of ${all} lines`,
  lines: 'Log lines',
}
