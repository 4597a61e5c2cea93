import type { Lang, Text, visits } from '@busbar/contract'
import type { PageFact } from './pages.ts'
import type { RefusalReason } from './refusal.ts'

/** The texts of a page of the visit host. */
export interface PageText {
  readonly title: string
  readonly text: string
}

type PageTexts = Record<Lang, PageText>

const page = (cn: [string, string], en: [string, string]): PageTexts => ({
  cn: { title: cn[0], text: cn[1] },
  en: { title: en[0], text: en[1] },
})

/** Why a request went no further. */
export const refusalTexts: Record<RefusalReason, PageTexts> = {
  badRequest: page(
    ['请求无效', '浏览器发来的请求不完整或有歧义，未转发给设备。'],
    ['Invalid request', 'The browser’s request is incomplete or ambiguous, so it wasn’t sent to the device.'],
  ),
  method: page(
    ['不支持的请求方式', '此请求方式不会转发给设备。'],
    ['Unsupported method', 'Requests with this method aren’t sent to devices.'],
  ),
  unknownHost: page(
    ['设备地址无效', '地址不完整，或平台未开启远程访问。请从控制台进入设备。'],
    [
      'No device at this address',
      'The address is incomplete, or remote access isn’t set up on this platform. Enter the device from the console.',
    ],
  ),
  unknownPage: page(
    ['页面不存在', '此访问不包含该地址。请从控制台进入。'],
    ['Page not found', 'Your visit doesn’t include this address. Enter it from the console.'],
  ),
  foreign: page(
    ['已拦截', '请求来自另一个网站。设备的页面只接受来自自身的请求。'],
    ['Blocked', 'The request came from another site. Device pages only accept requests from themselves.'],
  ),
  serviceWorker: page(
    ['不允许', '设备的页面不能在浏览器中安装后台程序。'],
    ['Not allowed', 'Device pages can’t install a service worker in the browser.'],
  ),
  planted: page(
    [
      '检测到异常的 Cookie',
      '浏览器发来两份访问凭证，其中一份不是平台写入的。请清除此网站的 Cookie 后重新进入。',
    ],
    [
      'Unexpected cookie',
      'The browser sent two visit cookies, and the platform didn’t set one of them. Delete the cookies of this site, then enter again.',
    ],
  ),
  frameUsed: page(
    ['嵌入地址已失效', '该地址只能使用一次，60 秒内有效。请刷新所在网页。'],
    [
      'This address is used up',
      'An embedded device opens once, within 60 seconds. Reload the page around it.',
    ],
  ),
  stateLost: page(
    ['进入失败', '进入请求不是由此浏览器发起，或已过期。请重试。'],
    ['Couldn’t enter', 'The request to enter wasn’t started in this browser, or has expired. Try again.'],
  ),
  noVisit: page(
    ['尚未进入', '请先在浏览器中打开此设备的页面。'],
    ['No active visit', 'Open the device’s page in the browser first.'],
  ),
  readOnly: page(
    ['只读访问', '您当前只能查看此设备，修改未发送。'],
    ['Read-only visit', 'Your visit is currently read-only. The change wasn’t sent to the device.'],
  ),
  notWatchable: page(
    ['暂时不能查看此页面', '其他人正在控制，或您只有只读权限，而此页面不支持只读。可在控制台请求控制权。'],
    [
      'This page has no read-only mode',
      'Someone else is in control, or your access is read-only. Request control in the console.',
    ],
  ),
  blind: page(
    ['暂时无法确认您的权限', '平台暂时读取不到授权信息。为安全起见，设备访问已暂停，恢复后即可重试。'],
    [
      'Couldn’t check your permissions',
      'The platform can’t read permissions at the moment. For safety, you can’t enter devices until it’s back.',
    ],
  ),
  unreachable: page(
    ['暂时无法连接设备', '平台负责连接该设备的节点暂时无响应，请稍后再试。'],
    [
      'Can’t reach the device',
      'The platform node that serves this device isn’t responding. Try again in a moment.',
    ],
  ),
  offline: page(
    ['设备未连接', '设备的远程通道未连接平台。请检查设备的电源和网络。'],
    ['The device isn’t connected', 'The device has no tunnel to the platform. Check its power and network.'],
  ),
  badGateway: page(
    ['设备无响应', '设备已连接，但其页面未正确响应。'],
    ['The device didn’t respond', 'The device is connected, but its page didn’t return a valid response.'],
  ),
  elsewhere: page(
    [
      '页面位于设备的另一个地址',
      '设备将浏览器引导到以下地址，采集程序的配置文件中没有此地址。在 targets 下加入下面一行并重启采集程序后，即可进入该页面。若为自签名证书，请再填写 fingerprint。',
    ],
    [
      'The page is at another address of the device',
      'The device led the browser to the address below, which the agent’s file doesn’t have. Add the line below to its targets and restart the agent, then enter that page. A self-signed certificate also needs its fingerprint.',
    ],
  ),
  tooMany: page(
    ['请求过于频繁', '此地址的尝试次数过多，请一分钟后再试。'],
    ['Too many attempts', 'Too many attempts from this address. Try again in a minute.'],
  ),
  busy: page(
    ['同时进行的请求过多', '此访问或设备的通道已满，请稍候重试。'],
    [
      'Too many open requests',
      'This visit or the device’s tunnel has reached its limit of open requests. Try again.',
    ],
  ),
}

/** Why a visit ended. */
export const endTexts: Record<visits.VisitEndReason, PageTexts> = {
  left: page(
    ['您已离开设备', '访问已结束，不再向设备发送请求。'],
    ['You left the device', 'The visit has ended. No more requests are sent to the device.'],
  ),
  ended: page(
    ['访问已结束', '您或钥匙持有人在控制台结束了此访问。'],
    ['The visit was ended', 'You or a key holder of the device ended the visit in the console.'],
  ),
  idle: page(
    ['访问因无操作而结束', '30 分钟无操作，访问已自动结束。'],
    ['Visit ended due to inactivity', 'The visit ended automatically after 30 minutes of inactivity.'],
  ),
  timeUp: page(
    ['访问已达最长时间', '一次访问最长 8 小时。如有需要，请重新进入。'],
    ['Visit time limit reached', 'A visit can last up to 8 hours. Enter again if you need more time.'],
  ),
  visitTimeOver: page(
    ['您的访问时间已结束', '钥匙持有人授予您的访问时间已用完。'],
    ['Your visit time has expired', 'The visit time that a key holder of this device gave you has expired.'],
  ),
  rightLost: page(
    ['您已无权进入', '您对此设备的权限已变更，访问已立即结束。'],
    ['You no longer have access', 'Your permission for this device changed, so the visit ended immediately.'],
  ),
  cloudOff: page(
    ['云服务已关闭', '设备的云服务已关闭，访问已结束。'],
    ['Cloud service is off', 'The cloud service of the device was turned off, so the visit ended.'],
  ),
  signedOut: page(
    ['您已退出登录', '打开此访问的登录已结束，访问随之结束。'],
    ['You are signed out', 'The session that opened this visit has ended, so the visit ended too.'],
  ),
  replaced: page(
    ['访问已由新的访问取代', '您在别处重新打开了此设备。'],
    ['Replaced by another visit', 'You opened this device again elsewhere.'],
  ),
  platform: page(
    ['访问已由平台结束', '平台结束了此访问，您可以重新进入。'],
    ['Ended by the platform', 'The platform ended this visit. You can enter again.'],
  ),
}

/** A visit that was not let in; the reason is the error’s own text. */
export const notEnteredTitle: Text = { cn: '无法进入设备', en: 'Couldn’t enter the device' }
/** Names the controller, where that is the reason. */
export const inControl = (who: string): Text => ({
  cn: `当前由 ${who} 控制，此页面不支持只读。`,
  en: `${who} is in control, and this page has no read-only mode.`,
})

/** Asks before a link enters a machine. */
export const enterQuestion = (name: string): Text => ({ cn: `进入${name}？`, en: `Enter ${name}?` })
/** The meaning of entering, by the person's mode. */
export const enterMeaning: Record<visits.VisitMode, Text> = {
  rw: {
    cn: '您通过链接或书签打开了此页面。进入后将以您的名义开始访问，您的操作会直接作用于设备；如果控制权空闲，将由您取得，其他人只能查看。',
    en: 'You opened a link or bookmark. If you enter, a visit starts in your name, and your actions affect the device directly. If no one is in control, you take control and others can only view.',
  },
  ro: {
    cn: '您通过链接或书签打开了此页面。进入后将以您的名义开始访问；您的权限为只读，只能查看，不能修改。',
    en: 'You opened a link or bookmark. If you enter, a visit starts in your name. Your access is read-only: you can view but not change anything.',
  },
}
/** Asks before another website opens an address of a machine that the person is inside. */
export const continueTexts: PageTexts = page(
  [
    '确认打开此地址？',
    '另一个网站请求打开您正在访问的设备的以下地址。打开后可能改变设备状态，请确认是您本人的操作。',
  ],
  [
    'Open this address?',
    'Another website links to the address below on a device you are visiting. Opening it could change the device. Continue only if you intended this.',
  ],
)

const elsewhereTexts = {
  address: { cn: '地址', en: 'Address' },
  line: { cn: '配置文件', en: 'Agent’s file' },
} as const satisfies Record<string, Text>

/** The address of a device that no target has, and the line of the agent's file that makes a target of it. */
export function elsewhereFacts(address: string, lang: Lang): PageFact[] {
  const { protocol, port } = new URL(address)
  const line = `- { name: ${protocol.slice(0, -1)}${port}, url: "${address}" }`
  return [
    { label: elsewhereTexts.address[lang], value: address },
    { label: elsewhereTexts.line[lang], value: line },
  ]
}

const factTexts = {
  code: { cn: '机器码', en: 'Machine code' },
  target: { cn: '页面', en: 'Page' },
  path: { cn: '打开的地址', en: 'Address' },
} as const satisfies Record<string, Text>

/** The line that names the machine, its page, and the path at which it would open. */
export function factsOf(
  { code, target = 'page', path }: { code: string; target?: string; path: string },
  lang: Lang,
): PageFact[] {
  const told = { code, ...(target === 'page' ? {} : { target }), path }
  return Object.entries(told).map(([name, value]) => ({
    label: factTexts[name as keyof typeof factTexts][lang],
    value,
  }))
}

export const actionTexts = {
  enter: { cn: '进入设备', en: 'Enter device' },
  continue: { cn: '继续', en: 'Continue' },
  again: { cn: '重试', en: 'Try again' },
  enterAgain: { cn: '重新进入', en: 'Enter again' },
  console: { cn: '返回控制台', en: 'Back to console' },
} as const satisfies Record<string, Text>
