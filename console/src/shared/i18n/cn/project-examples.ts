/** The guide for developers: the steps of each task. */
export const examplesText = {
  language: '语言',
  languages: { sh: 'curl', ts: 'TypeScript', py: 'Python', java: 'Java' },
  copy: (file: string) => `复制 ${file}`,
  tasks: {
    receive: {
      title: '接收 webhook 并校验签名',
      steps: [
        '在“数据去向”中添加接收程序的 https 地址，并保存只显示一次的签名密钥（whsec_…）。',
        '每个请求带有 Standard Webhooks 的三个请求头：webhook-id、webhook-timestamp 和 webhook-signature。签名是对 id.timestamp.body 的 HMAC-SHA256；body 为收到的原始字节，即解压之前。',
        '签名不符或时间相差超过 5 分钟时，答复 401。先保存数据，再答复 204；15 秒内未答复 2xx 的请求会以相同的 webhook-id 再次发送。',
        '也可使用各语言现成的 Standard Webhooks 程序库。',
      ],
    },
    pull: {
      title: '用游标拉取数据',
      steps: [
        '以项目 ID 和项目密钥作为 Basic 认证。',
        '每次答复带有游标；保存数据后再保存游标，下次请求时带上，就不会漏掉任何一行。',
        '没有新数据时，请求最多等待 10 秒。游标过旧时，错误中带有仍可用的最早游标。',
      ],
    },
    subscribe: {
      title: '通过 MQTT 订阅',
      steps: [
        '用户名为项目 ID，密码为项目密钥；主题为 data/项目 ID/#。',
        '使用固定的客户端 ID 且不清除会话（clean session = false）时，平台为其保留 72 小时的位置，断开期间的数据会补上。清除会话的连接只收到实时数据。',
        '一个项目最多 5 个客户端 ID。',
      ],
    },
    embed: {
      title: '在您的门户中嵌入设备页面',
      steps: [
        '在“嵌入访问”中开启，并填写门户的来源，例如 https://portal.example.com。',
        '由您的服务器用项目密钥获取地址，不要把密钥放进网页。地址在 60 秒内使用一次。',
        '把地址放进 iframe。访问以所填成员的身份进行，默认只读；设备的 Akey 同意后可以操作。',
      ],
    },
  },
}
