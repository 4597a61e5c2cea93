import type { visits } from '@busbar/contract'

const kinds: Record<visits.PortKind, string> = {
  modbus: 'Modbus TCP',
  s7: 'S7',
  opcua: 'OPC UA',
  codesys: 'CODESYS',
  ssh: 'SSH',
  vnc: 'VNC',
  rdp: '远程桌面（RDP）',
  http: 'HTTP',
  other: '其他 TCP',
}

export const portsText = {
  title: '端口',
  lead: '用电脑上的编程软件或其他工具，直接连接控制器的端口。',
  kinds,
  roundTrip: (ms: string) => `连接 ${ms}`,
  may: { change: '可读写', look: '仅查看', none: '无权限' },
  why: {
    change: '工具可以读取和修改',
    look: '只放行读取请求，拒绝写入，工具保持连接',
    none: '需要 Akey、Bkey、有操作权限的团队，或带 PLC 透传的维保授权',
  },
  connect: '连接工具',
  tool: {
    mode: '方式',
    modes: { rw: '读写', ro: '仅查看' },
    takes: '读写会取得设备的控制权。有人正在控制时，请先申请控制权。',
    localPort: '本机端口',
    localPortHint: '留空则由程序选择',
    localPortWrong: '请填写 1 至 65535 的整数',
    get: '1. 下载程序（需要 Node.js 20 或更高版本）',
    signIn: '2. 登录（仅首次）',
    open: '3. 打开端口',
    download: (file: string) => `下载 ${file}`,
    missing: '平台没有提供此程序，请联系平台管理员。',
    copy: '复制命令',
    settings: '4. 设置工具',
    hide: '收起',
  },
  used: (streams: number, down: string, up: string) => `${streams} 次连接，↓ ${down}，↑ ${up}`,
  counted: (reads: number, writes: number) => `读 ${reads}，写 ${writes}`,
  refused: (count: number) => `拒绝 ${count}`,
}
