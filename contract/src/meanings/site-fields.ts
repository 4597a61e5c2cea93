/** Fields of sites and their plans: in Chinese, and in English; keys as in people-fields.ts. */
export const siteFields = {
  'sites.eid': ['企业；不填或为空表示个人厂区', 'The enterprise; without it, or null: the caller’s own'],
  'sites.lat': [
    '纬度（WGS-84）；已隐藏地图的用户为空',
    'Latitude, WGS-84; null for a person who hides the map',
  ],
  'sites.lng': [
    '经度（WGS-84）；已隐藏地图的用户为空',
    'Longitude, WGS-84; null for a person who hides the map',
  ],
  'sites.address': ['地址；已隐藏地图的用户为空', 'The address; empty for a person who hides the map'],
  'sites.radiusM': ['半径，米', 'The radius in metres'],
  'sites.revision': [
    '厂区的修订号；修改时为修改所依据的修订号',
    'The site’s revision; of a change, the one that was changed',
  ],
  'sites.plans': ['平面图；列表中为张数', 'Its plans; in a list their number'],
  'sites.machines': ['平面图上的设备', 'The devices on its plans'],
  'sites.planId': ['平面图 ID', 'The plan’s id'],
  'sites.picture': ['图片地址', 'The address of the picture'],
  'sites.order': ['平面图顺序', 'The order of the plans'],
  'sites.place': ['要放置的设备及位置', 'Devices to place, and where'],
  'sites.takeOff': ['要移出的设备', 'Devices to take off'],
  'sites.x': ['横向位置，图片宽度的比例', 'The part of the picture’s width from the left'],
  'sites.y': ['纵向位置，图片高度的比例', 'The part of the picture’s height from the top'],
} as const satisfies Readonly<Record<string, readonly [cn: string, en: string]>>
