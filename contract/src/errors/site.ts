import { refusals } from './error-kind.ts'

/** Sites and their plans. */
export const siteErrors = refusals({
  SITES_FULL: {
    cn: '厂区数量已达上限（500 个），请先删除不用的厂区',
    en: 'There are 500 sites, which is the maximum. Delete a site first.',
  },
  PLANS_FULL: {
    cn: '该厂区的平面图已达上限（10 张），请先删除不用的平面图',
    en: 'The site has 10 plans, which is the maximum. Delete a plan first.',
  },
  SITE_CHANGED: {
    cn: '其他人已修改该厂区，请查看最新内容后重试',
    en: 'Someone else has changed this site. Look at it again, then repeat your change.',
  },
  SITE_MACHINES: {
    cn: '只能放置此处列表中您有权访问的设备',
    en: 'Only devices of this list that you have access to can be placed',
  },
})
