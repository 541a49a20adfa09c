export const grammarModule = () => 'export default {}';
