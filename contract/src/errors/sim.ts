import { refusals } from './error-kind.ts'

/** SIM cards and their plans. */
export const simErrors = {
  ...refusals({
    SIM_CARDS_FULL: { cn: '物联网卡数量已达上限', en: 'The platform has as many SIM cards as it can take' },
    SIM_MACHINE_UNKNOWN: { cn: '没有这个机器码的设备', en: 'No device has this machine code' },
    SIM_PLAN_UNKNOWN: { cn: '没有这个套餐', en: 'This plan doesn’t exist' },
    SIM_PLAN_TAKEN: { cn: '已有同名套餐', en: 'Another plan has this name' },
    SIM_PLANS_FULL: { cn: '套餐数量已达上限（500 个）', en: 'There are 500 plans already' },
    SIM_PLAN_USED: { cn: '仍有物联网卡使用此套餐', en: 'SIM cards still use this plan' },
    SIM_CARRIER_UNKNOWN: { cn: '没有这个运营商账户', en: 'No account at a carrier has this name' },
  }),
}
