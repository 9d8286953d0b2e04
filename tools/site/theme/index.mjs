// The theme of VitePress, with room for lines of 120 columns.
import theme from "vitepress/theme";
import "./wide.css";

export default theme;
