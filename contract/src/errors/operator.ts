import { type ErrorKind, refusal } from './error-kind.ts'

/** The operator's calls. */
export const operatorErrors = {
  OPERATOR_FACTOR_NEEDED: {
    http: 403,
    hwcode: 403,
    hwreason: 'OPERATOR_FACTOR_NEEDED',
    text: {
      cn: '进入后台需要两步验证：请先在安全中心开启',
      en: 'The back office needs a second factor: turn it on in the safety centre first',
    },
  },
  '12010201': refusal('OWN_ACCOUNT', {
    cn: '不能锁定自己，也不能取消自己的运营者身份',
    en: 'You cannot lock yourself or stop being an operator: another operator can',
  }),
  '12010302': refusal('IMPORT_TOO_LONG', { cn: '一次最多导入 200 行', en: 'At most 200 lines at a time' }),
  FACT_NOT_HANDLED: refusal('FACT_NOT_HANDLED', {
    cn: '仍未能处理，原因已更新',
    en: 'It could not be handled again: the reason is up to date',
  }),
  '12010401': refusal('ALREADY_ANSWERED', {
    cn: '该申请已被答复',
    en: 'This request has been answered already',
  }),
} satisfies Record<string, ErrorKind>
