export { module } from '../plain';
