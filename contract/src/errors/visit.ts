import { type ErrorKind, refusal, refusals } from './error-kind.ts'

/** Visits to a machine's pages, and control of it. */
export const visitErrors = {
  CLOUD_EXPIRED: {
    http: 200,
    hwcode: 416,
    hwreason: 'CLOUD_EXPIRED',
    text: {
      cn: '设备的云服务已关闭，或不在运维时间内',
      en: 'The cloud service of this device is closed, or its maintenance window is not open',
    },
  },
  ClOUD_VISIT_TIMEOUT: {
    http: 200,
    hwcode: 504,
    hwreason: 'ClOUD_VISIT_TIMEOUT',
    text: { cn: '设备未在规定时间内响应', en: 'The device did not answer in time' },
  },
  REST_TIME_OUT: {
    http: 200,
    hwcode: 507,
    hwreason: 'REST_TIME_OUT',
    text: { cn: '您的访问时间已结束', en: 'Your visit time is over' },
  },
  '01010408': refusal('VISIT_TIME_OVER', { cn: '访问时间早已结束', en: 'The visit time was over already' }),
  ...refusals({
    VISITS_OFF: {
      cn: '当前地址不能进入设备：请使用域名打开平台，并由管理员设置 VISIT_HOST',
      en: 'Devices cannot be entered from this address: open the platform by its name, and have VISIT_HOST set',
    },
    TARGET_UNKNOWN: { cn: '设备没有这个页面', en: 'The device has no such page' },
    TARGET_NOT_READ_ONLY: {
      cn: '您只有只读权限，而此页面无法限制为只读',
      en: 'You may only watch, and this page cannot be kept from changing things',
    },
    CONTROL_TAKEN: { cn: '控制权在他人手中', en: 'Somebody else is in control of this device' },
    READ_ONLY: { cn: '您对该设备只有只读权限', en: 'You may only watch this device' },
  }),
} satisfies Record<string, ErrorKind>
