import { refusals } from './error-kind.ts'

/** SMS stocks. */
export const smsErrors = {
  ...refusals({
    SMS_STOCK_SHORT: { cn: '短信余量不足', en: 'The SMS balance is too low' },
    SMS_STOCK_FULL: {
      cn: '短信余量不能超过 1 亿条',
      en: 'An SMS balance can’t exceed 100,000,000 segments',
    },
  }),
}
