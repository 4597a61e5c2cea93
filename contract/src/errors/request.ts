import { type ErrorKind, refusals } from './error-kind.ts'

/** Requests that are refused before a route decides, and answers without a noun. */
export const requestErrors = {
  '113': {
    http: 401,
    hwcode: 113,
    hwreason: 'TOKEN_INVALID',
    text: {
      cn: '登录已失效（令牌过期），请重新登录。',
      en: 'Invalid token (Token expired), Please log in again.',
    },
  },
  '400': {
    http: 400,
    hwcode: 400,
    hwreason: 'BAD_REQUEST',
    text: { cn: '请求参数有误', en: 'Invalid request' },
  },
  '403': {
    http: 403,
    hwcode: 403,
    hwreason: 'FORBIDDEN',
    text: { cn: '您没有操作权限', en: 'User does not have permission to operate' },
  },
  '404': { http: 404, hwcode: 404, hwreason: 'NOT_FOUND', text: { cn: '请求的内容不存在', en: 'Not found' } },
  '413': {
    http: 413,
    hwcode: 413,
    hwreason: 'TOO_LARGE',
    text: { cn: '内容超过允许的大小', en: 'The content is larger than allowed' },
  },
  '429': {
    http: 429,
    hwcode: 429,
    hwreason: 'TOO_MANY_REQUESTS',
    text: { cn: '操作过于频繁，请稍后再试', en: 'Too many requests, please try again later' },
  },
  '500': {
    http: 500,
    hwcode: 500,
    hwreason: 'SERVER_ERROR',
    text: { cn: '服务器内部错误', en: 'Server-api Error' },
  },
  '503': {
    http: 503,
    hwcode: 503,
    hwreason: 'UNAVAILABLE',
    text: { cn: '服务暂不可用，请稍后再试', en: 'The service isn’t available. Try again later.' },
  },
  TOO_MANY_FIELDS: {
    http: 413,
    hwcode: 413,
    hwreason: 'TOO_MANY_FIELDS',
    text: {
      cn: '请求中的字段或数值过多，或嵌套过深',
      en: 'The request has too many fields or values, or too many levels',
    },
  },
  TOO_MUCH_AT_ONCE: {
    http: 429,
    hwcode: 429,
    hwreason: 'TOO_MUCH_AT_ONCE',
    text: {
      cn: '当前网络地址正在上传的数据过多，请稍后再试',
      en: 'Too much data is being uploaded from your network address. Try again in a moment.',
    },
  },
  NOT_REACHABLE: {
    http: 503,
    hwcode: 503,
    hwreason: 'NOT_REACHABLE',
    text: {
      cn: '平台负责连接该设备的节点暂时无响应，请稍后再试',
      en: 'The platform node that serves this device isn’t responding. Try again in a moment.',
    },
  },
  ...refusals({
    CLIENT_TOO_OLD: {
      cn: '当前应用或页面的版本过旧，已停止支持，请更新应用或刷新页面',
      en: 'This version of the app or page is no longer supported. Update the app, or reload the page.',
    },
    QUERY_TOO_LARGE: {
      cn: '查询的数据量过大，请缩短时间范围或减少查询对象',
      en: 'The query covers too much data. Select a shorter period or fewer items.',
    },
    SPAN_INVALID: {
      cn: '时间范围无效：结束时间须晚于开始时间，最长 366 天',
      en: 'The period must end after it starts; the maximum is 366 days',
    },
  }),
} satisfies Record<string, ErrorKind>
