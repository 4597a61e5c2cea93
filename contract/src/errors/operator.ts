import { type ErrorKind, refusal } from './error-kind.ts'

/** The operator's calls. */
export const operatorErrors = {
  OPERATOR_FACTOR_NEEDED: {
    http: 403,
    hwcode: 403,
    hwreason: 'OPERATOR_FACTOR_NEEDED',
    text: {
      cn: '进入后台需要两步验证：请先在安全中心开启',
      en: 'The back office requires two-factor authentication. Turn it on in Security first.',
    },
  },
  '12010201': refusal('OWN_ACCOUNT', {
    cn: '不能锁定自己，也不能取消自己的平台管理员权限',
    en: 'You can’t lock yourself or remove yourself as an operator. Ask another operator.',
  }),
  '12010302': refusal('IMPORT_TOO_LONG', {
    cn: '文件最多 20,000 行，请拆分为多个文件',
    en: 'A file can have up to 20,000 lines. Split it into several files.',
  }),
  IMPORTS_FULL: refusal('IMPORTS_FULL', {
    cn: '您有 5 次批量登记未完成或未保存密钥，请先保存密码和密钥',
    en: 'You have 5 imports that run or whose secrets aren’t saved, which is the maximum. Save the secrets first.',
  }),
  IMPORT_SECRETS_CHANGED: refusal('IMPORT_SECRETS_CHANGED', {
    cn: '批量登记仍在进行，或密钥数量已变化，请重新下载后再确认',
    en: 'The import is still running or has more secrets by now. Download them again, then confirm.',
  }),
  FACT_NOT_HANDLED: refusal('FACT_NOT_HANDLED', {
    cn: '重新处理失败，错误原因已更新',
    en: 'The event couldn’t be handled. The list shows the new error.',
  }),
  '12010401': refusal('ALREADY_ANSWERED', {
    cn: '该申请已答复',
    en: 'This request has already been answered',
  }),
} satisfies Record<string, ErrorKind>
