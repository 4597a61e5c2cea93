import type { destinationsText as cn } from '../cn/project-destinations.ts'

export const destinationsText: typeof cn = {
  title: 'Destinations',
  lead: 'Rows go to your system in the order of their arrival. Failed deliveries are repeated, and rows are kept for 72 hours.',
  search: 'Search by name or address',
  empty: 'No destinations yet',
  emptyHint:
    'Add the address of a webhook, and the platform delivers rows to your MES, ERP or portal. Your system can pull them instead.',
  columns: { name: 'Name', state: 'State', lag: 'Waiting', lastOk: 'Last success', format: 'Format' },
  looks: {
    well: 'Works',
    waiting: 'Waiting for rows',
    failing: 'Failing',
    off: 'Off',
    switchedOff: 'Stopped',
  },
  faults: {
    addressRefused: {
      is: 'This address can’t be a destination',
      remedy: 'Use a public address. The operator of the platform can allow an internal one.',
    },
    nameUnknown: {
      is: 'The name can’t be looked up',
      remedy: 'Check the name in the address, and that public DNS knows it.',
    },
    refused: {
      is: 'The connection was refused',
      remedy:
        'Check that the receiver runs, that the address has its port, and that the firewall lets it through.',
    },
    timeout: {
      is: 'No answer in time',
      remedy:
        'A receiver answers within 15 seconds: let it store the rows and answer, and work on them later.',
    },
    tls: {
      is: 'The certificate wasn’t accepted',
      remedy:
        'Check that it hasn’t ended, that it’s for this name, and that intermediate certificates are sent.',
    },
    reset: {
      is: 'The connection broke',
      remedy: 'The receiver closed it before it answered. Look into its log, or that of the proxy before it.',
    },
    answerTooLarge: {
      is: 'The answer is larger than 64 kB',
      remedy: 'A receiver needs no more than the status 204, without content.',
    },
    redirect: {
      is: 'The receiver redirects',
      remedy: 'Redirects aren’t followed. Enter the address where they end.',
    },
    protocol: {
      is: 'The other side speaks another protocol',
      remedy: 'Check the port: another service may use it.',
    },
    status: {
      is: 'The receiver answered with an error',
      remedy: 'Look into its log. If it refuses the signature, check the secret.',
    },
    signInRefused: {
      is: 'The broker refused the sign-in',
      remedy: 'Check user name, password and client certificate, and what the broker allows this user.',
    },
    brokerBusy: {
      is: 'The broker is busy',
      remedy: 'The platform slows down and tries again. Check the load and the quotas of the broker.',
    },
    brokerRefused: {
      is: 'The broker refused or ended the connection',
      remedy:
        'Check the version of MQTT and the client id, which no other connection may use. The broker has to take QoS 1.',
    },
    rowRefused: {
      is: 'The broker refused a row',
      remedy: 'Check that this user may publish to the topic, and how long messages may be.',
    },
  },
  status: (status) => `HTTP ${status}`,
  nextTry: (at) => `next try ${at}`,
  switchedOff: {
    gone: 'The receiver answered 410: it wants no more',
    failedTooLong: 'It failed for 72 hours',
    operator: 'By the operator of the platform',
  },
  lagRows: (rows, lasts) => `${rows} rows, ${lasts}`,
  inTime: 'None',
  gaps: (count) => (count === 1 ? '1 gap' : `${count} gaps`),
  never: 'Never',

  add: 'Add destination',
  edit: 'Change',
  saved: 'Saved',
  save: 'Save',
  name: 'Name',
  nameMissing: 'Enter a name',
  url: 'Address',
  urlMissing: 'Enter an address',
  urlPlaceholder: 'https://mes.example.com/busbar',
  format: 'Format',
  formats: { json: 'JSON', flat: 'As HMIs write it (flat)' },
  formatHint: {
    json: 'Values with their types, qualities and statistics.',
    flat: 'All values as texts, with _terminalTime and _groupName, as HMI vendors send them.',
  },
  content: 'Delivers',
  contentMissing: 'Select at least one',
  rows: 'Rows',
  events: {
    'alarm.raised': 'Alarm raised',
    'alarm.cleared': 'Alarm cleared',
    'alarm.acknowledged': 'Alarm acknowledged',
    'machine.online': 'Device online',
    'machine.offline': 'Device offline',
  },
  eventsHint: 'Events don’t use the quota.',
  options: 'Requests',
  ndjson: 'One JSON per line (NDJSON)',
  gzip: 'Compressed with gzip',
  rowsMax: 'Most rows in a request',
  rowsOf: (rows) => (rows === '1' ? '1 row' : `${rows} rows`),
  lanes: 'Requests at the same time',
  lanesOf: (lanes) => String(lanes),
  lanesHint: 'A device is always in the same lane, so its rows stay in order.',

  secretTitle: 'Secret for signatures',
  secretBody:
    'With it your receiver verifies that a request comes from the platform. It’s shown this once: keep it now.',
  secretCopy: 'Copy secret',
  secretClose: 'Saved, close',
  reset: 'Change secret',
  resetBody:
    'The former secret works for another 24 hours: requests have a signature for each. Update your receiver until then.',
  resetAction: 'Change',

  turnOn: 'Turn on',
  turnOff: 'Turn off',
  turnOffTitle: (name) => `Turn off “${name}”?`,
  turnOffBody: 'Rows are kept for up to 72 hours. When it’s turned on again, it goes on where it stopped.',
  turnedOn: (name) => `“${name}” is on`,
  turnedOff: (name) => `“${name}” is off`,
  remove: 'Delete',
  removeTitle: (name) => `Delete “${name}”?`,
  removeBody: 'Pending rows aren’t sent, and its dead letters are deleted.',
  removed: (name) => `“${name}” was deleted`,

  test: 'Test',
  testTitle: (name) => `Test “${name}”`,
  testLead: 'Sends one real row that doesn’t use the quota, and shows the whole request and answer.',
  testSend: 'Send',
  testAgain: 'Send again',
  testOk: (status) =>
    status === undefined ? 'The receiver accepted it' : `The receiver accepted it (${status})`,
  testExample: 'No device of the project has sent a row yet, so this one is made up.',
  testFailed: 'The test couldn’t be made. Try again later.',
  request: 'Request',
  response: 'Answer',
  noResponse: 'No answer',
  copy: 'Copy',
  timing: 'Timing',
  phases: { lookup: 'Name', connect: 'Connection', tls: 'TLS', signIn: 'Sign-in', answer: 'Answer' },
  ms: (ms) => `${ms} ms`,
  total: 'Total',
  address: 'Connected to',
  certificate: 'Certificate',
  certificateOf: (subject, issuer) => `${subject}, by ${issuer}`,
  validTo: (day) => `valid until ${day}`,

  replay: 'Replay',
  replayTitle: (name) => `Replay to “${name}”`,
  replayLead:
    'Sends rows of history again, by the project’s variables and interval, of at most 31 days. They use the quota.',
  replaySpan: 'From when to when',
  replaySpanMissing: 'Select a time span',
  replayStart: 'Start replay',
  replayRunning: 'Sending rows again',
  replayNote: 'You can close this window: the replay goes on.',
  replayDone: 'The replay is complete',
  replayFailed: 'The replay didn’t complete. Check the destination, and try again.',
}
