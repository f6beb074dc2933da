//! Functions whose last bit is not the same on every platform if the standard library computes them. Here they are sums and
//! products, so that with one seed a level plays the same game on a server, on a phone and in a browser.

/// The exponential function, to within a few units in the last place.
#[inline]
pub(crate) fn exp(x: f32) -> f32 {
    // ln 2 in two parts, of which the first has few enough bits for its multiples to be exact.
    const LN2_HIGH: f32 = 0.693_359_4;
    const LN2_LOW: f32 = -2.121_944_4e-4;
    // Beyond these the result is the least or the greatest that is told apart from 0 and infinity.
    let x = x.clamp(-87.0, 88.0);
    let doublings = (x * std::f32::consts::LOG2_E + 0.5).floor();
    let rest = x - doublings * LN2_HIGH - doublings * LN2_LOW;
    // Taylor's series: the rest is at most half of ln 2.
    let series = 1.0
        + rest
            * (1.0
                + rest
                    * (0.5
                        + rest
                            * (1.0 / 6.0
                                + rest * (1.0 / 24.0 + rest * (1.0 / 120.0 + rest * (1.0 / 720.0 + rest / 5040.0))))));
    f32::from_bits(((doublings as i32 + 127) as u32) << 23) * series
}

/// The natural logarithm of a positive normal number.
#[inline]
pub(crate) fn ln(x: f32) -> f32 {
    let bits = x.to_bits();
    let mut exponent = (bits >> 23) as i32 - 127;
    let mut mantissa = f32::from_bits(bits & 0x7f_ffff | 0x3f80_0000);
    if mantissa > std::f32::consts::SQRT_2 {
        mantissa *= 0.5;
        exponent += 1;
    }
    // The series of the area tangent, with an argument of at most 0.172.
    let ratio = (mantissa - 1.0) / (mantissa + 1.0);
    let square = ratio * ratio;
    let series = 2.0 * ratio * (1.0 + square * (1.0 / 3.0 + square * (0.2 + square * (1.0 / 7.0 + square / 9.0))));
    exponent as f32 * std::f32::consts::LN_2 + series
}

/// The chance that so many logits stand for.
#[inline]
pub(crate) fn logistic(logits: f32) -> f32 {
    1.0 / (1.0 + exp(-logits))
}

/// How many logits a chance is; what is certain counts as nearly so.
#[inline]
pub(crate) fn logit(chance: f32) -> f32 {
    let chance = chance.clamp(1e-6, 1.0 - 1e-6);
    ln(chance / (1.0 - chance))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_functions_are_those_of_the_standard_library_to_six_digits() {
        for step in -8_600..=8_700 {
            let x = step as f32 / 100.0;
            assert!((exp(x) / x.exp() - 1.0).abs() < 1e-6, "exp {x}: {} instead of {}", exp(x), x.exp());
        }
        for step in 1..20_000 {
            let x = (step as f32 / 200.0).powi(3);
            assert!((ln(x) - x.ln()).abs() <= 1e-6 * x.ln().abs().max(1.0), "ln {x}: {} instead of {}", ln(x), x.ln());
        }
        assert!(exp(-1000.0) >= 0.0 && exp(-1000.0) < 1e-37 && exp(1000.0).is_finite());
        assert!((logistic(0.0) - 0.5).abs() < 1e-6 && (logistic(logit(0.73)) - 0.73).abs() < 1e-5);
        assert!(logit(0.0) < -13.0 && logit(1.0) > 13.0);
    }
}
