import { outside } from './outside.ts'

const words = {
  title: '程序下载',
  lead: '用于接入控制器和访问其端口的程序。',
  columns: { program: '程序', system: '系统', version: '版本', size: '大小', sha256: 'SHA-256' },
  programs: { 'busbar-agent': '采集程序', 'busbar-connect': 'Busbar Connect' } as Readonly<
    Record<string, string>
  >,
  systems: {
    'debian-amd64': 'Debian、Ubuntu（64 位）',
    'debian-arm64': 'Debian、树莓派系统（ARM 64 位）',
    'linux-x64': '其他 Linux（64 位）',
    'linux-arm64': '其他 Linux（ARM 64 位）',
    'windows-x64': 'Windows 10 及以上（64 位）',
    any: '任何装有 Node.js 20 及以上版本的系统',
    'macos-arm64': 'macOS（Apple 芯片）',
    'macos-x64': 'macOS（Intel）',
    'busbar-connect/linux-x64': 'Linux（64 位）',
    'busbar-connect/linux-arm64': 'Linux（ARM 64 位）',
  } as Readonly<Record<string, string>>,
  states: {
    signed: '清单已签名，平台已用管理员的公钥验证。',
    unsigned: '清单未经平台验证签名。请只在可信网络中使用，并核对 SHA-256。',
  },
  verify: '如何校验',
  verifySum: '下载后计算 SHA-256，与上表核对：',
  verifySignature: '用平台管理员提供的公钥验证清单的签名：',
  manifest: '清单',
  signature: '签名',
  wrong: {
    title: '暂不提供下载',
    hint: '程序清单的签名与平台管理员的公钥不符。请告知平台管理员。',
  },
  missing: {
    title: '暂无程序',
    hint: (command: string) => `平台管理员可用 ${command} 生成，或将程序放入 DOWNLOADS_DIR 指定的目录。`,
  },
  failed: '列表加载失败',
  retry: '重试',
}

export type DownloadsText = typeof words

/** The texts of the programs to download, with those of the parts that the page shares with the sign-in. */
export const downloads = { ...outside, downloads: words }
