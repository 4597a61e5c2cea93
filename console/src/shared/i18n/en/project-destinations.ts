import type { destinationsText as cn } from '../cn/project-destinations.ts'

export const destinationsText: typeof cn = {
  title: 'Destinations',
  lead: 'Rows go to your system in the order of their arrival. Failed deliveries are repeated, and rows are kept for 72 hours.',
  search: 'Search by name or address',
  empty: 'No destinations yet',
  emptyHint:
    'Add the address of a webhook, or your MQTT broker, and the platform delivers rows to your MES, ERP or portal. Your system can pull them instead.',
  columns: { name: 'Name', state: 'State', lag: 'Waiting', lastOk: 'Last success', type: 'Kind' },
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
      remedy:
        'The receiver closed it before it answered. Look into its log, or that of the proxy before it. A broker also closes it when another program uses the same client id.',
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
    takenOver: {
      is: 'Another client took the session over',
      remedy:
        'Another program signs in to the broker with this client id. Give one of the two another client id.',
    },
    rowRefused: {
      is: 'The broker refused a row',
      remedy: 'Check that this user may publish to the topic, and how long messages may be.',
    },
  },
  status: (status) => `HTTP ${status}`,
  faultStatus: (is, status) => `${is} (${status})`,
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
  urlPlaceholders: {
    webhook: 'https://mes.example.com/busbar',
    mqtt: 'mqtts://broker.example.com:8883',
  },
  added: (name) => `“${name}” was added. Press “Test” to check the connection.`,
  type: 'Kind',
  types: { webhook: 'Webhook', mqtt: 'MQTT broker' },
  typeHint: {
    webhook: 'Rows are posted to your address by HTTPS, many in a request, with a signature.',
    mqtt: 'The platform signs in to your broker and publishes each row as a message of QoS 1.',
  },
  topic: 'Topic',
  topicMissing: 'Enter a topic',
  topicTooLong: (max) => `At most ${max} characters`,
  topicFaults: {
    character: (at, found) => `“${found}”, character ${at}, isn’t allowed`,
    part: (at, found) => `“${found}”, at character ${at}, is no part of a row`,
  },
  topicHint:
    'Parts: {projectId}, {machineCode}, {machineName}, and {group}, which is “all” where a row has several groups. For example factory/{machineCode}/{group}, or mes/{projectId}/{machineCode}.',
  topicMachine: { name: 'Example device', code: '1000000000000000001' },
  topicPreview: (machine) => `For “${machine}”:`,
  group: 'Group id',
  edgeNode: 'Edge node id',
  edgeNodeHint:
    'A device’s id is its code. Tests, replays and dead letters have nodes of their own, with an ending, so that they don’t touch this one.',
  topicLevelWrong: '+, #, / and control characters can’t be in it',
  signIn: 'Sign-in',
  signIns: {
    none: 'None',
    password: 'User name and password',
    certificate: 'Client certificate',
    both: 'User name, password and client certificate',
  },
  username: 'User name',
  usernameMissing: 'Enter a user name',
  password: 'Password',
  secretKept: 'Saved; leave empty to keep it',
  clientCertificate: 'Client certificate (PEM)',
  privateKey: 'Private key (PEM)',
  keyMissing: 'Paste the key of this certificate',
  pemMissing: 'Paste the certificate',
  pemWrong: 'Paste it as PEM, which begins with -----BEGIN',
  trust: 'Certificate of the broker',
  trusts: {
    system: 'Of a public authority',
    ca: 'Of your own authority',
    pin: 'This one alone (fingerprint)',
  },
  trustHint: {
    system: 'The authorities that the system trusts.',
    ca: 'For brokers in a company with an authority of its own. The name is checked as well.',
    pin: 'No other certificate is accepted, whatever its name: enter the new fingerprint when the broker’s changes.',
  },
  ca: 'Certificate of the authority (PEM)',
  pin: 'SHA-256 of the broker’s certificate',
  pinWrong: 'Enter the 64 hexadecimal digits of its SHA-256',
  version: 'MQTT version',
  clientId: 'Client id',
  clientIdHint:
    'Empty: “busbar-” and the id of the destination. Tests and replays have an ending of their own, so that they don’t break the connection.',
  format: 'Format',
  formats: { json: 'JSON', flat: 'As HMIs write it (flat)', sparkplug: 'Sparkplug B' },
  formatHint: {
    json: 'Values with their types, qualities and statistics.',
    flat: 'All values as texts, with _terminalTime and _groupName, as HMI vendors send them.',
    sparkplug:
      'The project is an edge node and has devices. Births, deaths, and births again when a host asks for them.',
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
