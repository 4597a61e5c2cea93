import type { ArgumentFault } from '../../arguments.ts'
import type { CloseReason, EndReason, Mode } from '../../model.ts'

const endReasons: Readonly<Record<EndReason, string>> = {
  left: '访问已由您结束',
  ended: '访问已被钥匙持有人结束',
  idle: '30 分钟内没有数据通过，访问已结束',
  timeUp: '访问已达到 8 小时上限',
  visitTimeOver: '访问时间已到期',
  rightLost: '您的权限已被收回',
  cloudOff: '设备的云服务已关闭',
  signedOut: '程序已退出登录',
  replaced: '控制权已转移，或访问已被您的新访问取代',
  platform: '平台已结束访问',
  notAllowed: '您没有使用此端口的权限，或控制权已不在您手中',
  lookOnly: '此端口不支持只读访问',
  noPort: '设备没有此端口',
  other: '访问已结束',
}

const closeReasons: Readonly<Record<CloseReason, string>> = {
  done: '连接已正常关闭',
  toolBroke: '工具已断开连接',
  gone: '平台或设备端已关闭连接',
  lineLost: '30 秒内未能恢复线路，连接已关闭',
  unreachable: '设备端无法连接此端口',
  tooMany: '连接数过多：每次访问最多 8 个连接，且控制器的连接数有限',
  ticket: '平台未接受通行凭证',
  wrongMessage: '平台拒绝了连接的参数',
  refused: '连接已被拒绝',
  stopped: '程序已停止',
  encrypted: '连接已加密，只读访问无法区分读写，已关闭',
  unclear: '无法再识别请求的边界，只读访问已关闭此连接',
}

const argumentFaults: Readonly<Record<ArgumentFault, (about: string) => string>> = {
  unknownOption: (about) => `未知选项：${about}`,
  unknownCommand: (about) => `未知命令：${about}`,
  missingValue: (about) => `选项 ${about} 缺少值`,
  wrongLang: (about) => `语言应为 cn 或 en，而不是 ${about}`,
  wrongMode: (about) => `模式应为 ro（只读）或 rw（读写），而不是 ${about}`,
  openNeeds: () => '请指定设备和至少一个端口：open 设备 端口[:本机端口]',
  tooMany: (about) => `多余的参数：${about}`,
  wrongAddress: (about) =>
    `本机地址应为 127.x.x.x、::1 或私有 IPv4 地址（10.x.x.x、172.16.x.x 至 172.31.x.x、192.168.x.x），而不是 ${about}`,
}

const modes: Readonly<Record<Mode, string>> = { ro: '只读', rw: '读写' }

export const texts = {
  help: `用法：busbar-connect 命令 [选项]

  login [--server 地址]                登录：在浏览器中确认登录码
  list [设备]                          列出设备；指定设备时列出其端口
  open 设备 端口[:本机端口] …          在本机打开设备的端口
  status                               显示登录状态和本机已打开的端口
  logout                               退出登录

  设备是机器码或名称，端口是列表中的名称。

选项
  --mode ro|rw      只读或读写；缺省时按您的权限选择
  --address 地址    本机监听地址：127.x.x.x 或 ::1，缺省为 127.0.0.1；
                    或私有地址（如 10.99.0.2），程序运行期间添加到本机，使用设备自身的端口号
  --json            每行输出一个 JSON 对象
  --lang cn|en      语言
  --version         显示版本
`,
  argumentFaults,
  endReasons,
  closeReasons,
  modes,
  seeHelp: '运行 busbar-connect --help 查看用法',
  needServer: '请指定平台地址：busbar-connect login --server https://…',
  wrongServer: (server: string) => `平台地址无效：${server}`,
  plainHttp: '注意：地址使用 http，登录信息将以明文传输',
  notSignedIn: '尚未登录，请运行 busbar-connect login --server https://…',
  sessionShared: (path: string) =>
    `其他用户可以读取 ${path}，程序不会使用。请运行 chmod 600 后重试，或删除后重新登录`,
  sessionDamaged: (path: string) => `${path} 已损坏，请删除后重新登录`,
  signInAt: (url: string) => `请在浏览器中打开 ${url}`,
  signInCode: (code: string) => `输入登录码 ${code}`,
  signInExpired: '登录码已过期，请重新登录',
  signInRefused: '登录已被拒绝',
  signedIn: (name: string, server: string) => `已登录 ${server}：${name}`,
  signedOut: '已退出登录',
  sessionOver: '登录已失效，请重新登录',
  unreachable: (server: string, reason: string) => `无法连接 ${server}：${reason}`,
  wrongAnswer: (server: string) => `${server} 的应答无法识别，请检查地址和程序版本`,
  noMachine: (name: string) => `找不到设备：${name}`,
  manyMachines: (name: string) => `多个设备符合“${name}”，请使用机器码：`,
  noMachines: '暂无设备',
  noPorts: '此设备的采集程序没有提供端口',
  noPort: (name: string, all: string) => `设备没有端口 ${name}。可用端口：${all}`,
  wrongLocalPort: (port: string) => `本机端口应为 1 至 65535 的数字，而不是 ${port}`,
  mayNot: (name: string) => `您没有使用端口 ${name} 的权限`,
  mayLookOnly: (name: string) => `您只能以只读方式打开端口 ${name}：--mode ro`,
  mayNotLook: (name: string) => `端口 ${name} 不支持只读访问`,
  inControl: (who: string) => `${who}正在控制此设备。请对方移交控制权，或使用 --mode ro`,
  needLocalPort: (name: string) => `端口 ${name} 在设备上的端口号未知，请指定：${name}:本机端口`,
  addressInUse: (address: string, name: string) => `本机已有地址 ${address}（${name}），请换一个地址`,
  addressInNetwork: (address: string, network: string, name: string) =>
    `${address} 属于本机所在的网络 ${network}（${name}），请换一个此网络以外的地址`,
  addressRights: (address: string) =>
    `程序运行期间将 ${address} 添加到本机环回网卡，系统可能会请求管理员权限`,
  addressAdded: (address: string) => `已将 ${address} 添加到本机环回网卡`,
  addressDenied: (address: string, reason: string) => `无法添加 ${address}${reason ? `：${reason}` : ''}`,
  addressRemoving: (address: string) => `正在移除上次运行遗留的地址 ${address}`,
  addressLeft: (address: string, reason: string) => `无法移除 ${address}${reason ? `：${reason}` : ''}`,
  addressSystem: '程序无法在此系统上添加地址',
  portTaken: (port: number) => `本机端口 ${port} 已被占用`,
  portTakenBy: (port: number, name: string, pid: number) =>
    `本机端口 ${port} 已被程序 ${name}（进程 ${pid}）占用`,
  portDenied: (port: number) => `没有权限使用本机端口 ${port}（1024 以下的端口通常需要管理员权限）`,
  portUnusable: (port: number) => `无法使用本机端口 ${port}`,
  propose: (port: number) => `可改用 ${port}`,
  headMachines: ['名称', '机器码', '状态'],
  headPorts: ['端口', '类型', '权限', '往返', '备注'],
  online: '在线',
  offline: '离线',
  access: { change: '读写', changeAndLook: '读写、只读', look: '只读', none: '无' },
  visitOpened: (machine: string, mode: string, until: string) => `${machine}：${mode}访问，最长至 ${until}`,
  listening: (target: string, address: string) => `${target} → ${address}`,
  opened: (target: string, stream: number) => `${target}：连接 ${stream} 已打开`,
  lineLost: (target: string, stream: number) => `${target}：连接 ${stream} 的线路中断，正在恢复`,
  lineBack: (target: string, stream: number, seconds: string) =>
    `${target}：连接 ${stream} 已恢复，中断 ${seconds} 秒`,
  closed: (target: string, stream: number, reason: string) => `${target}：连接 ${stream} 已结束（${reason}）`,
  ended: (target: string, reason: string) => `${target} 已结束：${reason}`,
  warnIdle: (at: string) => `没有数据通过，访问将于 ${at} 结束`,
  warnTimeUp: (at: string) => `访问将于 ${at} 达到时间上限`,
  controlMine: '控制权在您手中',
  controlOf: (who: string) => `${who}正在控制`,
  controlFree: '当前无人控制',
  allEnded: '所有端口均已结束',
  viewTitle: 'Busbar Connect',
  viewHead: ['端口', '本机地址', '连接', '接收', '发送', '读/写/拒绝', '往返', '状态'],
  viewTimeLeft: (minutes: number) => `剩余 ${minutes} 分钟`,
  viewOpen: '已打开',
  viewKeys: 'q 结束   r 释放控制权   t 获取控制权   h 移交控制权',
  handTo: '移交控制权给',
  handKeys: '1–9 选择   其他键取消',
  takerAsks: '请求控制权',
  noTakers: '没有人请求控制权，也没有可移交的其他访问',
  viewHints: '工具设置',
  statusServer: (server: string) => `平台：${server}`,
  statusPerson: (name: string, account: string) => `用户：${name}（${account}）`,
  statusFile: (path: string) => `登录文件：${path}`,
  headOpens: ['设备', '端口', '本机地址', '权限', '开始时间', '进程'],
  noOpens: '本机没有打开的端口',
  failed: (reason: string) => `程序出错：${reason}`,
}
