import type { PortKind } from './ports.ts'

interface Text {
  readonly cn: string
  readonly en: string
}

const hostAndPort: Text = {
  cn: '在工具中，主机填写 127.0.0.1，端口填写本机端口。',
  en: 'In the tool, enter 127.0.0.1 as the host and the local port as the port.',
}

/** The settings that a tool needs to go through a port of this kind, as the program and the console show them. */
export const portHints: Readonly<Record<PortKind, Text>> = {
  modbus: hostAndPort,
  ssh: hostAndPort,
  vnc: hostAndPort,
  rdp: hostAndPort,
  http: {
    cn: '在浏览器中打开 http://127.0.0.1 加本机端口。',
    en: 'In a browser, open http://127.0.0.1 with the local port.',
  },
  opcua: {
    cn: '端点地址填写 opc.tcp://127.0.0.1 加本机端口。服务器会返回自己的端点地址，该地址不经过此端口：请在客户端中选择保留所填地址的设置。',
    en: 'As the endpoint, enter opc.tcp://127.0.0.1 with the local port. The server reports an endpoint address of its own, which doesn’t lead through this port: in the client, select the setting that keeps the address you entered.',
  },
  codesys: {
    cn: 'CODESYS 使用 TCP 11740 至 11743。网络扫描使用 UDP 1740 至 1743，无法通过：请手动填写地址 127.0.0.1 和本机端口。',
    en: 'CODESYS uses TCP 11740 to 11743. Its scan uses UDP 1740 to 1743 and doesn’t pass: enter the address 127.0.0.1 and the local port by hand.',
  },
  s7: {
    cn: '可设置端口的工具：主机填写 127.0.0.1，端口填写本机端口。TIA Portal 和 STEP 7 总是使用网卡地址的 102 端口：加上 --address 10.99.0.2，程序会将此地址添加到本机（按厂商文档实现，未经我们实际验证）。PROFINET DCP 搜索无法通过。',
    en: 'In a tool with a setting for the port, enter 127.0.0.1 and the local port. TIA Portal and STEP 7 always use port 102 at the address of a network adapter, so add --address 10.99.0.2, and the program adds this address to your computer (built after the makers’ documentation, not tried by us). A search by PROFINET DCP doesn’t pass.',
  },
  other: {
    cn: '在工具中，主机填写 127.0.0.1，端口填写本机端口。通过广播或 PROFINET DCP 搜索设备的功能无法通过，请手动填写地址。',
    en: 'In the tool, enter 127.0.0.1 as the host and the local port as the port. A search for devices by broadcast or PROFINET DCP doesn’t pass: enter the address by hand.',
  },
}
