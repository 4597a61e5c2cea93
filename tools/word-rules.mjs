import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/**
 * A word or a form of sentence that the texts avoid.
 * @typedef {object} WordRule
 * @property {RegExp} pattern
 * @property {string} use The wording to use.
 * @property {string} example A text that breaks the rule, for its test.
 */

/**
 * Rules for English texts: one term per thing (see GLOSSARY.md), and sentences with a subject, a verb and an object.
 * @type {readonly WordRule[]}
 */
export const englishRules = [
  { pattern: /\bwhoever\b/i, use: 'anyone who, users who', example: 'Whoever knows the password can enter' },
  { pattern: /\bof (theirs|yours|mine)\b/i, use: 'their, your', example: 'Nothing of theirs is deleted' },
  { pattern: /\bholds?\b/i, use: 'is valid, contains, has', example: 'The code holds for 5 minutes' },
  { pattern: /\bwaits?\b/, use: 'pending, needs to', example: 'The offer waits for an answer' },
  { pattern: /\basks to be\b/i, use: 'wants to, requests', example: 'An app asks to be signed in' },
  { pattern: /\bterminals?\b/i, use: 'session, browser or app', example: 'Sign out all terminals' },
  { pattern: /(?<!\$)\bmachines?\b(?! codes?\b)/i, use: 'device', example: 'Add a machine' },
  {
    pattern: /\b(message|safety) cent(re|er)\b/i,
    use: 'Messages, Security',
    example: 'Open the message centre',
  },
  { pattern: /\brun out\b/i, use: 'has expired', example: 'The code has run out' },
  {
    pattern: /\b(take|takes|taken|took|taking)\b[^.;]*\bback\b/i,
    use: 'revoke, withdraw, cancel',
    example: 'You can take the key back',
  },
  { pattern: /\bfor ever\b/i, use: 'no expiry', example: 'Valid for ever' },
  { pattern: /\bat present\b/i, use: 'current, now', example: 'No one is connected at present' },
  { pattern: /\bunder way\b/i, use: 'active, in progress', example: 'A visit is under way' },
  { pattern: /\bat once\b/i, use: 'immediately, at the same time', example: 'The session ends at once' },
  { pattern: /\bby (itself|themselves)\b/i, use: 'automatically', example: 'The visit ends by itself' },
  { pattern: /\blets? (\S+ ){0,2}in\b/i, use: 'grant access', example: 'Let a visitor in' },
  {
    pattern: /\b(somebody|anybody|everybody|nobody)\b/i,
    use: 'someone, anyone, everyone, no one',
    example: 'Somebody else is in control',
  },
  { pattern: /\bone’s\b|\bwhat one is\b/i, use: 'your', example: 'Remove a device from one’s list' },
  {
    pattern: /(^|[.:;] )(It|That) (is|was|were|did|does|has|could|can)(\b|n’t)/,
    use: 'the name of the thing',
    example: 'It wasn’t saved',
  },
  {
    pattern: /\bThis (did|could|can)(\b|n’t)/,
    use: 'the name of the thing',
    example: 'This couldn’t be loaded',
  },
  {
    pattern: /(^|[.:;] )(What|Who|Nothing)\b(?!.*\?)/,
    use: 'a subject: the person or the thing',
    example: 'What the device sent is shown here',
  },
  {
    pattern: /\brights?\b(?! (arrows?|edge|now)\b)/i,
    use: 'permission, access',
    example: 'You have no right to enter',
  },
  {
    pattern: /\bapplications?\b|\bappl(y|ies|ied) (for|to)\b/i,
    use: 'request',
    example: 'Apply for access',
  },
  { pattern: /\bmay (only|enter|change|watch|call|see|do)\b/i, use: 'can', example: 'You may only watch' },
  { pattern: /\bplease\b/i, use: 'the verb alone', example: 'Please try again' },
  {
    pattern: /\b(cannot|(could|can|does|do|did|is|are|was|were|has|have|will|would) not)\b/i,
    use: 'the short form: can’t, couldn’t, isn’t',
    example: 'The list could not be loaded',
  },
  { pattern: /\blog(ged|ging)?[ -]in\b/i, use: 'sign in', example: 'Log in again' },
  { pattern: /\bswitch(es|ed)?\b.*\b(on|off)\b/i, use: 'turn on, turn off', example: 'Switch the alarms on' },
  { pattern: /\bchosen\b/i, use: 'selected', example: '3 chosen' },
  { pattern: /\bin all$/i, use: 'in total', example: '20 in all' },
  { pattern: /\bmeanwhile\b/i, use: 'since, until then', example: 'It was removed meanwhile' },
  { pattern: /\bsecond factor\b/i, use: 'two-factor authentication', example: 'Turn the second factor off' },
  { pattern: /\w'(s|t|re|ll|ve)\b/, use: 'the typographic apostrophe ’', example: "The device's name" },
]

/**
 * Rules for Chinese texts: one term per thing (see GLOSSARY.md), and the words of an engineer.
 * @type {readonly WordRule[]}
 */
export const chineseRules = [
  { pattern: /就地/, use: '直接', example: '在这里就地收回' },
  { pattern: /凭据|凭什么/, use: '授权来源', example: '凭据' },
  { pattern: /谁能/, use: '访问权限', example: '谁能进入' },
  { pattern: /持钥人/, use: '钥匙持有人', example: '请持钥人审核' },
  { pattern: /[AB] ?钥匙/, use: 'Akey, Bkey', example: 'A 钥匙' },
  { pattern: /[AB]key 持有人/, use: 'Akey, Bkey', example: '请联系 Akey 持有人' },
  { pattern: /运维|检修|维护/, use: '维保', example: '运维窗口' },
  { pattern: /维保窗口/, use: '维保时段', example: '维保窗口' },
  { pattern: /登记册/, use: '设备台账', example: '设备登记册' },
  { pattern: /运营者/, use: '平台管理员', example: '平台运营者' },
  { pattern: /队员/, use: '成员', example: '队员' },
  { pattern: /电视盒(?!子)/, use: '电视盒子', example: '电视盒' },
  { pattern: /谢绝/, use: '拒绝', example: '谢绝邀请' },
  { pattern: /代理(?!服务器)/, use: '采集程序', example: '设备代理' },
  { pattern: /连接不到|连不上/, use: '无法连接', example: '连接不到平台' },
  { pattern: /还没有/, use: '暂无, 尚未', example: '还没有设备' },
  {
    pattern: /没有(加载|保存|读取|发送|添加|删除|转让|上传|写入|延长|取到|成功|找到|完成)/,
    use: '…失败, 未…',
    example: '没有保存成功',
  },
  { pattern: /再试一次/, use: '请重试', example: '请再试一次' },
  { pattern: /出现在这里/, use: '显示在这里', example: '消息会出现在这里' },
  { pattern: /拉黑/, use: '加入黑名单', example: '拒绝并拉黑' },
  { pattern: /回到/, use: '返回', example: '回到列表' },
  {
    pattern: /所见|浮到|先是|都在一处|登录着/,
    use: '当前, 置顶, 添加后为, 一个平台, 在线',
    example: '导出所见数据',
  },
  { pattern: /\d ?[hm](?![a-z])/, use: '小时, 分钟', example: '近 24 h' },
  { pattern: /\p{Script=Han}[,;!?]/u, use: '全角标点', example: '保存失败,请重试' },
]

/**
 * Words of protocols, in both languages: a screen says what happened to the person and what to do, except where the word is
 * the subject of the page. `subjectOf` names these files.
 * @type {readonly (WordRule & { readonly subjectOf: readonly string[] })[]}
 */
export const protocolRules = [
  {
    pattern: /\bhttps?\b/i,
    use: 'the platform, an encrypted address',
    example: 'Browsers allow this on https pages only',
    // The back office takes addresses of downloads, with their beginning; controllers are set up with the words of their menus,
    // and a project's receivers and portals are addresses.
    subjectOf: [
      'api-doc',
      'connect',
      'operator',
      'port-hints',
      'ports',
      'project-destinations',
      'project-embedding',
      'project-examples',
      'tile-sources',
    ],
  },
  {
    pattern: /[(（][45]\d\d[)）]|\b404\b|\b(status|error|code) [45]\d\d\b/i,
    use: 'what happened',
    example: 'Access denied(403)',
    subjectOf: [],
  },
  {
    pattern: /\bmqtts?\b|\btopics?\b|\bjson\b|\bpayloads?\b|\bprotocols?\b|协议|载荷/i,
    use: 'the connection, the content, the format',
    example: 'The payload is empty',
    // The messages of a device as it sent them, its connection, and the ways in which a project sends its data.
    subjectOf: [
      'api-doc',
      'connect',
      'history',
      'project-destinations',
      'project-detail',
      'project-embedding',
      'project-examples',
      'projects',
      'raw-messages',
      'reporting-servers',
    ],
  },
  {
    pattern: /\b(web)?sockets?\b|\bstreams?\b|套接字|长连接|数据流/i,
    use: 'the connection',
    example: 'The WebSocket was closed',
    subjectOf: ['connect'],
  },
  {
    pattern: /\b(tcp|udp|tls|ssl)\b/i,
    use: 'the connection, encrypted',
    example: 'The TCP connection was lost',
    // Drivers, ports of a PLC that a program on the visitor's computer opens, and the parts of a connection that is tested.
    subjectOf: ['agent-config', 'connect', 'port-hints', 'ports', 'project-destinations'],
  },
  {
    pattern: /\bapis?\b|\bendpoints?\b|\btokens?\b|接口|令牌/i,
    use: 'the platform, the session',
    example: '网络或接口异常！',
    // The page for developers, and its name in the palette; OPC UA calls its addresses so.
    subjectOf: ['api-doc', 'palette', 'port-hints'],
  },
  {
    pattern: /\bcookies?\b/i,
    use: 'what the browser keeps',
    example: 'The cookie is missing',
    // The person deletes them in the browser, which calls them so.
    subjectOf: ['page-texts'],
  },
  {
    pattern: /\b(servers?|databases?)\b|服务器|服务端|数据库/i,
    use: 'the platform',
    example: 'The server doesn’t respond',
    // Devices that are servers; acts on the platform's own server; the back office shows the parts of the platform; a
    // project's key stays on its owner's server, and its system signs in at a reporting server.
    subjectOf: [
      'agent-config',
      'account',
      'checks',
      'connect',
      'operator',
      'port-hints',
      'project-detail',
      'project-embedding',
      'project-examples',
      'reporting-servers',
    ],
  },
  {
    pattern: /\b(polling|heartbeats?|time-?outs?|handshakes?)\b|轮询|心跳|握手/i,
    use: 'took too long, updates',
    example: 'Network Timeout',
    // The interval at which a driver asks.
    subjectOf: ['agent-config'],
  },
]

/** Texts of the first version that its users and programs know. */
const kept = [
  'You do not currently have access to the management device interface',
  'User does not have permission to operate',
  'Invalid token (Token expired), Please log in again.',
  'Too many requests, please try again later',
]

/**
 * The rules that a text breaks, a line for each.
 * @param {string} text
 */
export function findWordProblems(text) {
  if (kept.includes(text)) return []
  const isChinese = /\p{Script=Han}/u.test(text)
  if (!isChinese && !/\p{L}/u.test(text)) return []
  return findBroken(isChinese ? chineseRules : englishRules, text)
}

/**
 * The words of protocols in a text of a screen or a mail, a line for each. The contract's texts are for developers.
 * @param {string} text
 * @param {string} path The file with the text.
 */
export function findProtocolWords(text, path) {
  if (path.startsWith('contract/') || kept.includes(text)) return []
  return findBroken(
    protocolRules.filter(({ subjectOf }) => !subjectOf.includes(basename(path, '.ts'))),
    text,
  )
}

/**
 * @param {readonly WordRule[]} rules
 * @param {string} text
 */
const findBroken = (rules, text) =>
  rules.flatMap(({ pattern, use }) => {
    const found = pattern.exec(text)
    return found ? [`“${found[0]}” in “${text}”: use ${use}`] : []
  })

/**
 * The string literals of a source, with {} for each expression in them; the keys of objects are left out.
 * @param {string} source
 * @returns {string[]}
 */
export function readTexts(source) {
  /** @type {string[]} */
  const texts = []
  let at = 0
  /** Reads code up to the brace that closes an expression, or to the end. */
  const readCode = () => {
    for (let depth = 0; at < source.length; at += 1) {
      const character = source[at]
      if (source.startsWith('//', at)) at = endOf('\n')
      else if (source.startsWith('/*', at)) at = endOf('*/') + 1
      else if (character === "'" || character === '"') readQuoted(character)
      else if (character === '`') readTemplate()
      else if (character === '{') depth += 1
      else if (character === '}') {
        if (depth === 0) return
        depth -= 1
      }
    }
  }
  /** @param {string} mark */
  const endOf = (mark) => {
    const end = source.indexOf(mark, at)
    return end < 0 ? source.length : end
  }
  /** @param {string} quote */
  const readQuoted = (quote) => {
    let text = ''
    const before = source.slice(Math.max(0, at - 12), at)
    for (at += 1; at < source.length && source[at] !== quote && source[at] !== '\n'; at += 1) {
      if (source[at] === '\\') at += 1
      text += source[at]
    }
    const isKey = source[at + 1] === ':' || /\w\[$/.test(before)
    if (!isKey && !/\b(from|import) ?\(?$/.test(before)) texts.push(text)
  }
  const readTemplate = () => {
    let text = ''
    for (at += 1; at < source.length && source[at] !== '`'; at += 1) {
      if (source.startsWith('${', at)) {
        at += 2
        readCode()
        text += '{}'
      } else {
        if (source[at] === '\\') at += 1
        text += source[at]
      }
    }
    texts.push(text)
  }
  readCode()
  return texts
}

const root = join(import.meta.dirname, '..')

/** Folders and files whose literals people read: the console, the answers to calls, mails and pages. */
export const textPlaces = [
  'console/src/shared/i18n/cn',
  'console/src/shared/i18n/en',
  'contract/src/errors',
  'platform/src/modules/messages/message-text-cn.ts',
  'platform/src/modules/messages/message-text-en.ts',
  'platform/src/modules/leaving/leaving-message.ts',
  'platform/src/modules/notifications/alarm-texts.ts',
  'platform/src/modules/notifications/contacts-mail.ts',
  'platform/src/modules/reports/report-mail.ts',
  'platform/src/modules/reports/report-words.ts',
  'platform/src/modules/exports/export-text.ts',
  'platform/src/modules/alarms/alarm-csv.ts',
  'platform/src/modules/writes/write-failures.ts',
  'platform/src/modules/scada/scada-mail.ts',
  'platform/src/modules/outgoing/email-template.ts',
  'platform/src/modules/enterprises/invitation-email.ts',
  'platform/src/modules/accounts/terminal-notice.ts',
  'platform/src/modules/accounts/verification-codes/code-message.ts',
  'platform/src/modules/accounts/registration/notice-message.ts',
  'platform/src/visit-host/page-texts.ts',
  'platform/src/edge/presence/takeover-watch.ts',
  'agent/src/page/static/script/texts.ts',
  'connect/src/texts/cn',
  'connect/src/texts/en',
  'link/src/port-hints.ts',
  'contract/src/meanings/described-cn.ts',
  'contract/src/meanings/groups.ts',
  'contract/src/meanings/agent-config-fields.ts',
  'contract/src/meanings/alarm-contact-fields.ts',
  'contract/src/meanings/alarm-fields.ts',
  'contract/src/meanings/alarm-rule-fields.ts',
  'contract/src/meanings/board-fields.ts',
  'contract/src/meanings/export-fields.ts',
  'contract/src/meanings/notification-fields.ts',
  'contract/src/meanings/report-fields.ts',
  'contract/src/meanings/sms-fields.ts',
  'contract/src/meanings/view-fields.ts',
  'contract/src/meanings/machine-fields.ts',
  'contract/src/meanings/nouns.ts',
  'contract/src/meanings/people-fields.ts',
  'contract/src/meanings/platform-fields.ts',
]

/**
 * The titles of calls in a source of the contract, as the API reference shows them.
 * @param {string} source
 * @returns {string[]}
 */
export function readTitles(source) {
  return [...source.matchAll(/title: (\{\s*cn: [^}]*\})/g)].flatMap(([, title]) => readTexts(title ?? ''))
}

/**
 * The descriptions of fields in a source of the contract, as the API reference shows them.
 * @param {string} source
 * @returns {string[]}
 */
export function readDescriptions(source) {
  return [...source.matchAll(/\.describe\(\s*('(?:[^'\\]|\\.)*'|"[^"]*"|`[^`]*`)/g)].flatMap(([, text]) =>
    readTexts(text ?? ''),
  )
}

/** Every source of texts, with the texts that people read. */
export function readTextSources() {
  const files = textPlaces.flatMap((place) =>
    place.endsWith('.ts')
      ? [place]
      : readdirSync(join(root, place))
          .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
          .map((name) => `${place}/${name}`),
  )
  const calls = readdirSync(join(root, 'contract/src')).filter((name) => /(?<!\.test)\.ts$/.test(name))
  return [
    ...files.map((path) => ({ path, texts: readTexts(readFileSync(join(root, path), 'utf8')) })),
    {
      path: 'contract/src',
      texts: calls.flatMap((name) => {
        const source = readFileSync(join(root, 'contract/src', name), 'utf8')
        return [...readTitles(source), ...readDescriptions(source)]
      }),
    },
  ]
}
