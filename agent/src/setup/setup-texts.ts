/** The sentences of `busbar-agent setup` for the person at the computer. */
const cn = {
  lang: 'zh-CN',
  usage:
    '用法：busbar-agent setup 安装链接 [--networks 网段,…|--no-remote] [--folder 目录] [--replace] [--no-start]',
  badLink: (url: string) => `这不是安装链接：${url}`,
  asks: (host: string) => `正在从 ${host} 领取设备的配置…`,
  refused: (text: string) => `平台拒绝：${text}`,
  noAnswer: (host: string) => `${host} 返回的不是平台的内容：可能有代理或登录页面拦截了请求。`,
  unreachable: (address: string, why: string) => `无法连接 ${address}：${why}`,
  noName: (host: string) => `域名 ${host} 无法解析。请检查本机的 DNS 设置。`,
  closed: (port: string) => `对方拒绝了端口 ${port} 的连接。请确认平台地址，或让网络管理员放行。`,
  noWay: (address: string) =>
    `没有应答。请让网络管理员放行从本机到 ${address} 的出站 TCP 连接；无需开放任何入站端口。`,
  certificate: (issuer: string, reason: string) =>
    `证书无法验证（${reason}），签发者：${issuer}。网络中可能有设备替换了证书：请让网络管理员对该地址关闭 TLS 检查，或用 NODE_EXTRA_CA_CERTS 指定其 CA 证书。`,
  clock: (minutes: number) => `本机时钟偏差 ${minutes} 分钟。请校准时间后重试。`,
  upgrade: (status: string) =>
    `平台可以访问，但 WebSocket 连接被拒绝（${status}）。请让网络管理员对该地址放行 WebSocket。`,
  proxy: (proxy: string) => `本机设置了代理 ${proxy}，采集程序不使用代理，需要直接连接。`,
  otherMachine: (path: string, code: string) =>
    `${path} 已属于设备 ${code}。要改为新设备，请加上 --replace。未做任何更改。`,
  notWritable: (path: string, reason: string) =>
    `无法写入 ${path}（${reason}）。请以 root 身份运行，或用 --folder 指定目录。`,
  badNetwork: (text: string) => `${text} 不是 192.168.0.0/24 这样的网段。`,
  written: (path: string) => `已写入 ${path}。`,
  networks: (list: string) =>
    `持有密钥的人可以在平台上配置以下网段内的控制器：${list}。用 --no-remote 可以关闭。`,
  noNetworks: '本机没有内网地址，因此不能在平台上配置控制器。可用 --networks 指定网段。',
  remoteOff: (path: string) => `未开放远程配置。请在 ${path} 中填写 connections，然后启动采集程序。`,
  started: '采集程序已启动。控制台上会显示"已连接"。',
  notStarted: (command: string) => `无法启动服务，请运行：${command}`,
  runsHere: '本机没有服务管理程序：采集程序在此窗口中运行，按 Ctrl-C 结束。',
}

const en: typeof cn = {
  lang: 'en',
  usage:
    'Usage: busbar-agent setup LINK [--networks NETWORK,…|--no-remote] [--folder FOLDER] [--replace] [--no-start]',
  badLink: (url) => `This is not a setup link: ${url}`,
  asks: (host) => `Fetching the configuration of the device from ${host} …`,
  refused: (text) => `The platform refuses: ${text}`,
  noAnswer: (host) =>
    `The answer of ${host} is not the platform's: a proxy or a sign-in page of the network may stand in between.`,
  unreachable: (address, why) => `${address} cannot be reached: ${why}`,
  noName: (host) => `The name ${host} cannot be resolved. Check the DNS of this computer.`,
  closed: (port) =>
    `The connection to port ${port} is refused. Check the address of the platform, or have the network opened.`,
  noWay: (address) =>
    `No answer. Ask your network administrators to allow outgoing TCP from this computer to ${address}; no inbound port is needed.`,
  certificate: (issuer, reason) =>
    `The certificate cannot be verified (${reason}); its issuer is ${issuer}. A device in the network may replace certificates: ask your network administrators to exempt this address from TLS inspection, or name their CA in NODE_EXTRA_CA_CERTS.`,
  clock: (minutes) => `The clock of this computer is ${minutes} minutes off. Set it, and try again.`,
  upgrade: (status) =>
    `The platform answers, but WebSocket is refused (${status}). Ask your network administrators to allow WebSocket to this address.`,
  proxy: (proxy) =>
    `This computer has the proxy ${proxy}, which the agent does not use: it needs a direct connection.`,
  otherMachine: (path, code) =>
    `${path} belongs to device ${code}. To make it another device, add --replace. Nothing was changed.`,
  notWritable: (path, reason) =>
    `${path} cannot be written (${reason}). Run it as root, or name a folder: --folder.`,
  badNetwork: (text) => `${text} does not look like 192.168.0.0/24.`,
  written: (path) => `${path} is written.`,
  networks: (list) =>
    `Key holders of the device can set up controllers in these networks from the platform: ${list}. --no-remote turns this off.`,
  noNetworks:
    'This computer has no private network, so controllers cannot be set up from the platform. Name one with --networks.',
  remoteOff: (path) =>
    `Nothing can be set up from the platform. Write the connections into ${path}, then start the agent.`,
  started: 'The agent is started. The console will say “connected”.',
  notStarted: (command) => `The service could not be started. Run: ${command}`,
  runsHere: 'This computer has no service manager: the agent runs in this window. Ctrl-C ends it.',
}

export type SetupTexts = typeof cn

/** The texts in the language of the computer: LC_ALL, LC_MESSAGES, LANG. */
export function setupTexts(env: NodeJS.ProcessEnv): SetupTexts {
  const locale = env.LC_ALL || env.LC_MESSAGES || env.LANG || Intl.DateTimeFormat().resolvedOptions().locale
  return /^zh/i.test(locale) ? cn : en
}
