import type { destinations } from '@busbar/contract'

/** The states of a destination as people see them. */
export type DestinationLook = 'well' | 'waiting' | 'failing' | 'off' | 'switchedOff'

/** A fault between the platform and a destination, and the remedy. */
interface FaultWords {
  readonly is: string
  readonly remedy: string
}

const faults: Readonly<Record<destinations.DestinationFault, FaultWords>> = {
  addressRefused: {
    is: '该地址不允许作为数据去向',
    remedy: '请使用公网地址；内网地址须由平台管理员放行。',
  },
  nameUnknown: { is: '域名无法解析', remedy: '请检查地址中的域名，以及该域名的公网 DNS 记录。' },
  refused: { is: '连接被拒绝', remedy: '请检查接收程序是否在运行、端口是否正确、防火墙是否放行。' },
  timeout: { is: '超时未答复', remedy: '接收程序须在 15 秒内答复。请先保存数据并答复，再做处理。' },
  tls: { is: '证书未通过校验', remedy: '请检查证书是否过期、域名是否一致、中间证书是否完整。' },
  reset: { is: '连接中断', remedy: '接收方在答复前关闭了连接。请查看接收程序及其前面的网关的日志。' },
  answerTooLarge: { is: '答复超过 64 kB', remedy: '接收程序只须答复状态码 204，不需要内容。' },
  redirect: { is: '接收方要求跳转', remedy: '平台不跟随跳转。请直接填写最终地址。' },
  protocol: { is: '对方使用的不是该协议', remedy: '请检查端口：该端口提供的可能是其他服务。' },
  status: {
    is: '接收方答复了错误状态',
    remedy: '请查看接收程序的日志；签名校验不通过时，请检查签名密钥。',
  },
  signInRefused: {
    is: 'MQTT Broker 拒绝登录',
    remedy: '请检查用户名、密码和客户端证书，以及 MQTT Broker 上该用户的权限。',
  },
  brokerBusy: {
    is: 'MQTT Broker 繁忙',
    remedy: '平台会放慢速度并继续重试。请检查 MQTT Broker 的负载和限额。',
  },
  brokerRefused: {
    is: 'MQTT Broker 拒绝或断开了连接',
    remedy: '请检查 MQTT 版本和客户端 ID：同一客户端 ID 不能同时用于其他连接。Broker 须支持 QoS 1。',
  },
  rowRefused: {
    is: 'MQTT Broker 拒绝了数据',
    remedy: '请检查该用户能否向此主题发布消息，以及 Broker 允许的消息大小。',
  },
}

export const destinationsText = {
  title: '数据去向',
  lead: '数据行按到达顺序投递到您的系统。投递失败时自动重试，数据保留 72 小时。',
  search: '搜索名称或地址',
  empty: '暂无数据去向',
  emptyHint: '添加一个 webhook 地址，平台会把数据投递到您的 MES、ERP 或门户系统。也可以由您的系统拉取数据。',
  columns: { name: '名称', state: '状态', lag: '待投递', lastOk: '最近成功', format: '格式' },
  looks: {
    well: '正常',
    waiting: '等待数据',
    failing: '投递失败',
    off: '已关闭',
    switchedOff: '平台已关闭',
  } satisfies Record<DestinationLook, string>,
  faults,
  status: (status: number) => `HTTP ${status}`,
  nextTry: (at: string) => `${at} 重试`,
  switchedOff: {
    gone: '接收方答复 410，表示不再接收',
    failedTooLong: '连续失败 72 小时',
    operator: '平台管理员关闭',
  } satisfies Record<destinations.SwitchOffReason, string>,
  lagRows: (rows: string, lasts: string) => `${rows} 行，${lasts}`,
  inTime: '无积压',
  gaps: (count: number) => `${count} 段缺失`,
  never: '尚未成功',

  add: '添加去向',
  edit: '修改',
  saved: '已保存',
  save: '保存',
  name: '名称',
  nameMissing: '请输入名称',
  url: '地址',
  urlMissing: '请输入地址',
  urlPlaceholder: 'https://mes.example.com/busbar',
  format: '格式',
  formats: {
    json: 'JSON',
    flat: 'HMI 格式（flat）',
  } satisfies Record<destinations.RowFormat, string>,
  formatHint: {
    json: '带类型的值、质量和统计。',
    flat: '值均为文本，含 _terminalTime 和 _groupName，与常见 HMI 的上报一致。',
  } satisfies Record<destinations.RowFormat, string>,
  content: '投递内容',
  contentMissing: '请至少选择一项',
  rows: '数据行',
  events: {
    'alarm.raised': '报警发生',
    'alarm.cleared': '报警解除',
    'alarm.acknowledged': '报警确认',
    'machine.online': '设备上线',
    'machine.offline': '设备离线',
  } satisfies Record<destinations.ProjectEvent, string>,
  eventsHint: '事件不计入额度。',
  options: '请求',
  ndjson: '每行一个 JSON（NDJSON）',
  gzip: 'gzip 压缩',
  rowsMax: '每次请求最多',
  rowsOf: (rows: string) => `${rows} 行`,
  lanes: '并行通道',
  lanesOf: (lanes: number) => `${lanes} 个`,
  lanesHint: '每个通道同时只有一个请求；同一设备始终在同一通道，顺序不变。修改会影响排队顺序。',

  secretTitle: '签名密钥',
  secretBody: '接收程序用它校验每个请求确由平台发出。密钥只显示这一次，请立即保存。',
  secretCopy: '复制密钥',
  secretClose: '已保存，关闭',
  reset: '更换签名密钥',
  resetBody: '新旧密钥在 24 小时内同时有效：每个请求带两个签名。请在此期间更新接收程序。',
  resetAction: '更换',

  turnOn: '开启',
  turnOff: '关闭',
  turnOffTitle: (name: string) => `关闭“${name}”？`,
  turnOffBody: '关闭期间数据最多保留 72 小时，重新开启后从停下的地方继续。',
  turnedOn: (name: string) => `已开启“${name}”`,
  turnedOff: (name: string) => `已关闭“${name}”`,
  remove: '删除',
  removeTitle: (name: string) => `删除“${name}”？`,
  removeBody: '等待投递的数据不再发送，失败投递一并删除。',
  removed: (name: string) => `已删除“${name}”`,

  test: '测试',
  testTitle: (name: string) => `测试“${name}”`,
  testLead: '发送一行真实数据并显示完整的请求和答复。不计入额度。',
  testSend: '发送',
  testAgain: '再次发送',
  testOk: (status?: string) => (status === undefined ? '接收方已接受' : `接收方已接受（${status}）`),
  testExample: '项目设备尚无数据，因此发送的是示例行。',
  testFailed: '测试未能进行，请稍后重试',
  request: '请求',
  response: '答复',
  noResponse: '没有答复',
  copy: '复制',
  timing: '耗时',
  phases: {
    lookup: '域名解析',
    connect: '建立连接',
    tls: 'TLS',
    signIn: '登录',
    answer: '等待答复',
  },
  ms: (ms: string) => `${ms} 毫秒`,
  total: '总计',
  address: '连接地址',
  certificate: '证书',
  certificateOf: (subject: string, issuer: string) => `${subject}，由 ${issuer} 签发`,
  validTo: (day: string) => `有效期至 ${day}`,

  replay: '补发',
  replayTitle: (name: string) => `向“${name}”补发历史数据`,
  replayLead: '按项目的变量和间隔从历史数据重新投递，最长 31 天。补发的行计入额度。',
  replaySpan: '时间段',
  replaySpanMissing: '请选择时间段',
  replayStart: '开始补发',
  replayRunning: '正在补发',
  replayNote: '可以关闭此窗口，补发在后台继续。',
  replayDone: '补发完成',
  replayFailed: '补发未完成，请查看去向的状态后重试',
}
