import { type ErrorKind, refusal, refusals } from './error-kind.ts'

/** Visits to a machine's pages, and control of it. */
export const visitErrors = {
  CLOUD_EXPIRED: {
    http: 200,
    hwcode: 416,
    hwreason: 'CLOUD_EXPIRED',
    text: {
      cn: '设备的云服务已关闭，或不在维保时段内',
      en: 'The cloud service of this device is off, or its maintenance window isn’t open',
    },
  },
  ClOUD_VISIT_TIMEOUT: {
    http: 200,
    hwcode: 504,
    hwreason: 'ClOUD_VISIT_TIMEOUT',
    text: { cn: '设备未在规定时间内响应', en: 'The device didn’t respond in time' },
  },
  REST_TIME_OUT: {
    http: 200,
    hwcode: 507,
    hwreason: 'REST_TIME_OUT',
    text: { cn: '您的访问时间已结束', en: 'Your visit time has expired' },
  },
  '01010408': refusal('VISIT_TIME_OVER', { cn: '访问时间已结束', en: 'The visit time had already expired' }),
  ...refusals({
    VISITS_OFF: {
      cn: '不能从当前地址进入设备：请使用域名打开平台，并联系平台管理员设置 VISIT_HOST',
      en: 'You can’t enter devices from this address. Open the platform with its host name, and ask the platform operator to set VISIT_HOST.',
    },
    TARGET_UNKNOWN: { cn: '设备没有此页面', en: 'The device has no such page' },
    TARGET_NOT_READ_ONLY: {
      cn: '您只有只读权限，此页面不支持只读',
      en: 'Your access is read-only, and this page has no read-only mode',
    },
    PORTS_NONE: {
      cn: '此设备的采集程序没有开放端口',
      en: 'The agent of this device opens no ports',
    },
    PORTS_NOT_ALLOWED: {
      cn: '您的权限不包括此设备的端口，请向钥匙持有人申请',
      en: 'Your access doesn’t include the ports of this device. Ask a key holder.',
    },
    PORTS_NOT_LOOKABLE: {
      cn: '此设备没有您可以仅查看的端口',
      en: 'This device has no port that you can open to view only',
    },
    CONTROL_TAKEN: { cn: '其他人正在控制此设备', en: 'Someone else is in control of this device' },
    READ_ONLY: { cn: '您对该设备只有只读权限', en: 'Your access to this device is read-only' },
  }),
} satisfies Record<string, ErrorKind>
