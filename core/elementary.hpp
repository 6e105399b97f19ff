// exp and ln out of additions, multiplications and divisions alone: the same bits natively and in WebAssembly, and none
// of the tables that a standard library brings into a page.
#pragma once

#include <cstddef>

namespace attention {

/// e^x, to within one unit in the last place or two; 0 below about -745, infinity above about 709.78, NaN of NaN.
///
/// e^x = 2^k e^r with k the whole number nearest to x / ln 2, so that |r| <= ln(2) / 2, where fourteen terms of the
/// exponential series are exact in float64.
/// Source: Cody and Waite, "Software Manual for the Elementary Functions", 1980, chapter 6.
double exponential(double x);
float exponential(float x);

/// e^x of many numbers, in place, several at once where the processor can: the bits of `exponential` from -708 to 0,
/// and 0 below. For softmax's exponents, whose largest is 0, no other number must be given.
void exponentials_of_negatives(std::size_t count, double* numbers);

/// ln x, to within one unit in the last place or two; -infinity of 0, NaN of a negative number or NaN.
///
/// ln x = e ln 2 + 2 artanh(s) with x = 2^e m, m between sqrt(1/2) and sqrt(2), and s = (m - 1) / (m + 1).
/// Source: the same, chapter 5.
double natural_logarithm(double x);

/// tanh x = (e^2x - 1) / (e^2x + 1), to within a few units in the last place; near 0 the series of e^2x - 1 keeps what
/// the subtraction would cancel.
double hyperbolic_tangent(double x);

} // namespace attention
