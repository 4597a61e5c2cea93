import { refusals } from './error-kind.ts'

/** Machines that people register themselves, and links that set their agents up. */
export const onboardingErrors = refusals({
  ONBOARDING_OFF: {
    cn: '本平台未开放自助登记，请联系平台管理员登记设备',
    en: 'This platform doesn’t let people register devices. Ask its operator to register the device.',
  },
  ONBOARDING_FULL: {
    cn: '自助登记的设备数已达上限，请联系平台管理员',
    en: 'You have registered as many devices as you can. Ask the operator of the platform for more.',
  },
  CODES_USED_UP: {
    cn: '自助登记的机器码已用完，请联系平台管理员',
    en: 'The machine codes for self-registered devices are used up. Tell the operator of the platform.',
  },
  SETUP_LINK_UNKNOWN: {
    cn: '安装链接无效，请在设备页面重新生成',
    en: 'This setup link isn’t valid. Make another one on the page of the device.',
  },
  SETUP_LINK_OVER: {
    cn: '安装链接已过期，请在设备页面重新生成',
    en: 'This setup link has expired. Make another one on the page of the device.',
  },
  SETUP_LINK_USED: {
    cn: '安装链接已使用，请在设备页面重新生成',
    en: 'This setup link was used. Make another one on the page of the device.',
  },
  SETUP_LINK_ELSEWHERE: {
    cn: '安装链接不属于该网址，请使用页面上显示的完整链接',
    en: 'This setup link belongs to another address. Use the link exactly as the page shows it.',
  },
})
