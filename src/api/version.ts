/** The version of Berth: what `berth --version`, the API and its OpenAPI page say. `npm run release` sets it. */
export const VERSION = '0.1.0'
