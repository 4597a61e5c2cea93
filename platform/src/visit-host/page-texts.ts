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
    ['请求无效', '浏览器发来的请求不完整或有歧义，没有转给设备。'],
    [
      'Not a valid request',
      'What the browser sent is incomplete or can be read in two ways. It was not passed on to the device.',
    ],
  ),
  method: page(
    ['不支持的请求方式', '这种请求方式不会转给设备。'],
    ['Not supported', 'Requests of this kind are not passed on to devices.'],
  ),
  unknownHost: page(
    ['没有这个设备地址', '地址不完整，或平台没有开启远程访问。请从控制台进入设备。'],
    [
      'No device at this address',
      'The address is not complete, or visits are not set up here. Enter the device from the console.',
    ],
  ),
  unknownPage: page(
    ['没有这个页面', '此访问不包含这个地址。请从控制台进入。'],
    ['No such page', 'Your visit does not cover this address. Enter it from the console.'],
  ),
  foreign: page(
    ['已拦截', '请求来自另一个网站。设备的页面只接受来自自身的请求。'],
    ['Blocked', 'The request came from another site. A device’s page takes requests from itself only.'],
  ),
  serviceWorker: page(
    ['不允许', '设备的页面不能在浏览器中安装后台程序。'],
    ['Not allowed', 'A device’s page cannot install a service worker in the browser.'],
  ),
  planted: page(
    [
      '检测到异常的 Cookie',
      '浏览器发来两份访问凭证，其中一份不是平台写入的。请清除此网站的 Cookie 后重新进入。',
    ],
    [
      'A cookie that is not ours',
      'The browser sent two visit cookies, and one was not set by the platform. Remove this site’s cookies, then enter again.',
    ],
  ),
  stateLost: page(
    ['进入没有完成', '进入的请求不是由此浏览器发起，或已经过期。请重试。'],
    ['Not entered', 'This way in was not begun in this browser, or took too long. Please try again.'],
  ),
  noVisit: page(
    ['尚未进入', '请先在浏览器中打开此设备的页面。'],
    ['Not inside', 'Open the device’s page in the browser first.'],
  ),
  readOnly: page(
    ['只读访问', '您当前只能查看此设备，修改没有发送。'],
    ['You may only watch', 'Your visit is read-only just now. The change was not sent to the device.'],
  ),
  notWatchable: page(
    [
      '暂时不能查看此页面',
      '控制权在他人手中，或您只有只读权限，而此页面无法限制为只读。可在控制台申请控制权。',
    ],
    [
      'This page cannot be watched',
      'Somebody else is in control, or you may only watch, and this page cannot be kept from changing things. Ask for control in the console.',
    ],
  ),
  blind: page(
    ['暂时无法确认您的权限', '平台的数据库暂时不可用。为安全起见，设备访问已暂停，恢复后即可重试。'],
    [
      'Your rights cannot be checked just now',
      'The platform’s database does not answer. To be safe, devices cannot be entered until it does.',
    ],
  ),
  unreachable: page(
    ['暂时无法连接设备', '平台负责连接该设备的节点暂时无响应，请稍后再试。'],
    [
      'The device cannot be reached just now',
      'The part of the platform that holds this device does not answer. Try again in a moment.',
    ],
  ),
  offline: page(
    ['设备未连接', '设备的远程通道没有连接到平台。请检查设备的电源和网络。'],
    [
      'The device is not connected',
      'Its tunnel to the platform is not there. Check the device’s power and network.',
    ],
  ),
  badGateway: page(
    ['设备没有应答', '连接在，但设备的页面没有正确应答。'],
    ['The device did not answer', 'It is connected, but its page gave no proper answer.'],
  ),
  tooMany: page(
    ['请求过于频繁', '此地址的尝试次数过多，请一分钟后再试。'],
    ['Too many tries', 'There were too many from this address. Try again in a minute.'],
  ),
  busy: page(
    ['同时打开的请求过多', '此访问或设备的通道已满，请稍候重试。'],
    [
      'Too much at once',
      'This visit, or the device’s tunnel, has as many requests open as it may. Try again.',
    ],
  ),
}

/** Why a visit ended. */
export const endTexts: Record<visits.VisitEndReason, PageTexts> = {
  left: page(
    ['您已离开设备', '访问已结束，没有请求再发送到设备。'],
    ['You left the device', 'The visit is over: nothing more reaches the device.'],
  ),
  ended: page(
    ['访问已结束', '您或设备的管理员在控制台结束了此访问。'],
    ['The visit was ended', 'You, or somebody who holds a key of the device, ended it in the console.'],
  ),
  idle: page(
    ['访问因空闲而结束', '30 分钟没有操作，访问已自动结束。'],
    ['The visit was idle', 'Nothing happened for 30 minutes, so it ended by itself.'],
  ),
  timeUp: page(
    ['访问已达最长时间', '一次访问最长 8 小时。如有需要，请重新进入。'],
    ['The visit reached its longest', 'One visit lasts 8 hours at most. Enter again if you need to.'],
  ),
  visitTimeOver: page(
    ['您的访问时间已结束', '设备管理员给您的访问时间已用完。'],
    ['Your visit time is over', 'The time its key holders gave you to visit this device has run out.'],
  ),
  rightLost: page(
    ['您不再有权进入', '您对此设备的权限已变更，访问已立即结束。'],
    ['You may not enter any more', 'Your right to this device changed, so the visit ended at once.'],
  ),
  cloudOff: page(
    ['云服务已关闭', '设备的云服务已被关闭，访问已结束。'],
    ['Cloud service is off', 'The device’s cloud service was switched off, so the visit ended.'],
  ),
  signedOut: page(
    ['您已退出登录', '打开此访问的登录已结束，访问随之结束。'],
    ['You are signed out', 'The session this visit was opened from is over, and the visit with it.'],
  ),
  replaced: page(
    ['访问已被替换', '您在别处重新打开了此设备。'],
    ['Replaced by another visit', 'You opened this device again elsewhere.'],
  ),
  platform: page(
    ['访问已由平台结束', '平台结束了此访问，您可以重新进入。'],
    ['Ended by the platform', 'The platform ended this visit. You can enter again.'],
  ),
}

/** A visit that was not let in; the reason is the error’s own text. */
export const notEnteredTitle: Text = { cn: '无法进入设备', en: 'This device cannot be entered' }
/** Names the controller, where that is the reason. */
export const inControl = (who: string): Text => ({
  cn: `当前由 ${who} 控制，此页面无法限制为只读。`,
  en: `${who} is in control, and this page cannot be kept from changing things.`,
})

/** Asks before a link enters a machine. */
export const enterQuestion = (name: string): Text => ({ cn: `进入${name}？`, en: `Enter ${name}?` })
/** The meaning of entering, by what the person may do there. */
export const enterMeaning: Record<visits.VisitMode, Text> = {
  rw: {
    cn: '您是通过链接或书签来到这里的。进入后，将以您的名义开始一次访问，您的操作会直接作用于设备；如果控制权空闲，将由您取得，其他人此时只能查看。',
    en: 'You came by a link or a bookmark. Entering begins a visit in your name, and what you do there acts on the device itself. You take control if it is free, and others can then only watch.',
  },
  ro: {
    cn: '您是通过链接或书签来到这里的。进入后，将以您的名义开始一次访问；您的权限为只读，只能查看，不能修改。',
    en: 'You came by a link or a bookmark. Entering begins a visit in your name. Your right is read-only: you can watch and change nothing.',
  },
}
/** Asks before another website opens an address of a machine that the person is inside. */
export const continueTexts: PageTexts = page(
  [
    '要继续打开吗？',
    '另一个网站要打开您正在访问的设备的下列地址。打开它可能会改变设备的状态，请确认这是您自己的操作。',
  ],
  [
    'Continue to this address?',
    'Another website leads to the address below, on a device you are inside. Opening it may change something there: continue only if you wanted this.',
  ],
)

const factTexts = {
  code: { cn: '机器码', en: 'Machine code' },
  target: { cn: '目标页面', en: 'Page' },
  path: { cn: '打开的地址', en: 'Opens' },
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
  enter: { cn: '进入设备', en: 'Enter the device' },
  continue: { cn: '继续', en: 'Continue' },
  again: { cn: '重试', en: 'Try again' },
  enterAgain: { cn: '重新进入', en: 'Enter again' },
  console: { cn: '返回控制台', en: 'Back to the console' },
} as const satisfies Record<string, Text>
