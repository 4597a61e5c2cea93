/** Fields of self-registration and of programs to download: in Chinese, and in English; keys as in people-fields.ts. */
export const onboardingFields = {
  'onboarding.eid': ['企业；不填表示个人', 'The enterprise; without it: the caller themselves'],
  'onboarding.used': ['已登记的设备数', 'How many devices were registered'],
  'onboarding.max': ['最多可登记的设备数；0 表示未开放', 'How many may be registered; 0: switched off'],
  'onboarding.kind': [
    'agent 采集程序，mqtt、sparkplug、http 设备直接上报',
    'agent: our agent beside the controller; mqtt, sparkplug, http: the controller sends by itself',
  ],
  'onboarding.name': ['设备名称', 'The device’s name'],
  'onboarding.password': [
    '设备密码，供他人添加设备；只显示一次',
    'The device password, with which other people add it; shown once',
  ],
  'onboarding.secret': [
    '设备密钥，只显示一次；采集程序通过安装链接领取，此处为 null',
    'The device secret, shown once; null for an agent, which fetches it by the link',
  ],
  'onboarding.link': ['安装链接；没有采集程序时为 null', 'The setup link; null without an agent'],
  '/api/v1/onboarding/:machineId.link': [
    '安装链接的进度；没有链接时为 null',
    'How far the setup link is; null where there is none',
  ],
  setupUrl: ['安装链接的地址，只显示一次', 'The address of the setup link; shown once'],
  'onboarding.askedAt': [
    '采集程序领取密钥的时间；null 表示尚未领取',
    'When the agent fetched the secret; null: not yet',
  ],
  acknowledgedAt: [
    '采集程序确认已保存密钥的时间；null 表示尚未确认',
    'When the agent acknowledged that it stored the secret; null: not yet',
  ],
  'onboarding.connectedAt': [
    '首次连接的时间；null 表示尚未连接',
    'When the device first connected; null: not yet',
  ],
  addresses: ['不用采集程序的设备上报数据的地址', 'Where a device without an agent sends its values'],
  'addresses.host': ['MQTT 服务器', 'The MQTT server'],
  mqttPort: ['MQTT 端口；null 表示未开放', 'The port of MQTT; null: not open'],
  mqttsPort: ['MQTT（TLS）端口；null 表示未开放', 'The port of MQTT with TLS; null: not open'],
  webSocketUrl: ['MQTT over WebSocket 的地址', 'The address of MQTT over WebSocket'],
  ingestUrl: ['HTTP 上报的地址', 'The address for values by HTTP POST'],
  'setup.token': ['安装链接中的令牌', 'The token of the setup link'],
  'setup.system': ['脚本适用的系统', 'The system that the script is for'],
  'setup.secret': [
    '设备密钥；确认之前再次领取仍返回同一密钥',
    'The device secret; the same again until it is acknowledged',
  ],
  urls: ['平台的地址', 'The platform’s addresses'],
  'urls.web': ['控制台', 'The console'],
  'urls.mqtt': ['MQTT over WebSocket 的地址', 'MQTT over WebSocket'],
  'urls.tunnel': ['隧道（WebSocket）', 'The tunnel, a WebSocket'],
  'setup.remote': ['配置文件中的 remote', '`remote` of the agent’s file'],
  'setup.networks': [
    '配置文件中的 networks；空表示采集程序所在电脑的内网',
    '`networks` of the agent’s file; empty: the private networks of its computer',
  ],
  'downloads.state': [
    'signed 签名有效，unsigned 未校验签名，wrong 签名无效、不提供下载，missing 没有程序',
    'signed: by the operator’s key; unsigned: not checked; wrong: not that key’s, so nothing is offered; missing: there are no programs',
  ],
  'downloads.missing': [
    '生成程序的命令；已有程序时为 null',
    'The command that makes the programs; null where they are there',
  ],
  manifestUrl: [
    '程序清单的路径；没有程序时为 null',
    'The path of the list of all files; null without programs',
  ],
  signatureUrl: [
    '清单的 Ed25519 签名（base64）的路径；没有签名时为 null',
    'The path of the manifest’s Ed25519 signature, base64; null without one',
  ],
  'downloads.files': ['可下载的文件', 'The files'],
  'files.program': ['程序', 'The program'],
  'files.system': [
    '系统，如 debian-amd64、linux-arm64、windows-x64',
    'Its system: debian-amd64, linux-arm64, windows-x64 and so on',
  ],
  'files.version': ['程序版本', 'The program’s version'],
  'files.file': ['文件名', 'The name of the file'],
  'files.sha256': ['SHA-256，64 位十六进制', 'Its SHA-256, 64 hexadecimal digits'],
  'files.url': ['当前域名下的路径', 'Its path on this host'],
} as const satisfies Readonly<Record<string, readonly [cn: string, en: string]>>
